package io.distributedfallback.core;

import io.distributedfallback.Route;
import java.util.OptionalLong;

/**
 * What an instance does about a provider that fails here while the others have nothing to say against it. With a
 * {@code quorum} above 1 its failures alone do not open the breaker for all; so they open one of its own, in its own memory,
 * with the same policy and a quorum of 1, and this instance alone goes to the fallback until its own probes pass. What
 * the cluster agrees on outranks it: once the shared breaker opens, this is forgotten. So does an operator's word: while
 * the shared breaker is forced, this decides nothing. Thread-safe.
 */
final class OwnBreaker {

    private final CircuitBreaker breaker;
    private final Engine engine;
    private volatile CircuitBreaker own;

    /** When it was known last that calls which had begun before say nothing more: the breaker had opened for all, or closed. */
    private volatile OptionalLong settledNanos = OptionalLong.empty();

    OwnBreaker(CircuitBreaker breaker, Engine engine) {
        this.breaker = breaker;
        this.engine = engine;
    }

    /** Whether there is any: while there is none, nothing of this is in the way of a call. */
    boolean isNone() {
        return own == null;
    }

    /** Where a call goes that the shared breaker lets pass. */
    Admission admit(Sighting shared, long now) {
        CircuitBreaker alone = own;
        return alone == null || shared.isOverridden(now) ? Admission.ROUTED : alone.admit();
    }

    /** Whether this instance keeps away alone. */
    boolean keepsAway(Sighting shared, long now) {
        return !shared.isOverridden(now) && keepsAway();
    }

    private boolean keepsAway() {
        CircuitBreaker alone = own;
        return alone != null && alone.seen().route(engine.now()) == Route.FALLBACK;
    }

    void fail(Failures failures, long beganNanos, Policy policy) {
        OptionalLong settled = settledNanos;
        if (settled.isPresent() && beganNanos - settled.getAsLong() <= 0) {
            return;
        }
        CircuitBreaker alone = own;
        if (alone == null && policy.quorum() > 1) {
            alone = begin();
        }
        if (alone != null) {
            alone.outcomes().fail(failures, beganNanos);
        }
    }

    private CircuitBreaker begin() {
        CircuitBreaker alone;
        synchronized (this) {
            if (own == null) {
                own = breaker.alone(engine.alone());
            }
            alone = own;
        }
        // Not under the lock: whoever takes in a row that is open has what is known locked, and forgets this.
        breaker.review();
        return alone;
    }

    void succeed() {
        CircuitBreaker alone = own;
        if (alone != null) {
            alone.outcomes().succeed();
            BreakerRow row = alone.seen().at(engine.now());
            if (!row.matters()) {
                if (row.standing().closedAt().isPresent()) {
                    settledNanos = OptionalLong.of(engine.now());
                }
                stop();
            }
        }
    }

    /** The shared breaker is open: all agree. Or an operator wants all to be forgotten. */
    void forget() {
        settledNanos = OptionalLong.of(engine.now());
        boolean kept = keepsAway();
        if (stop() && kept) {
            engine.listener().keepsAwayAlone(breaker.name(), false);
        }
    }

    /** Forgets it without a word; answers whether there was any. */
    boolean stop() {
        CircuitBreaker alone;
        synchronized (this) {
            alone = own;
            own = null;
        }
        if (alone != null) {
            alone.stop();
            breaker.review();
        }
        return alone != null;
    }

    /** Has its probe seen to if one is due. */
    void wakeProbe(Sighting shared, long now) {
        CircuitBreaker alone = own;
        if (alone != null && !shared.isOverridden(now)) {
            alone.wakeProbe();
        }
    }
}
