package io.distributedfallback.core;

import java.time.Duration;
import java.util.EnumSet;
import java.util.Optional;
import java.util.Set;

/**
 * What an instance has to say to the shared store when its application stops.
 *
 * <ol>
 *   <li>A server that stops as a whole may have shut its executors down before it tells the application (Open Liberty has).
 *       So this has its threads from {@link Background#last}.
 *   <li>A store that is lost is asked all the same, though it be left alone for a while yet: it may be back, or it may be
 *       the stop that has taken the thread for want of which it was lost; and nobody will ask later.
 *   <li>A pool may hand out connections that broke when the database went, one after the other: so one that finds the database
 *       away tries {@value #TRIES} times.
 *   <li>All of it together holds the stop up for {@link Timings#writeTimeout()} at most. After that, and once the store is
 *       found to be away, nothing more is said. What one breaker's row alone refuses keeps no other from having its say.
 * </ol>
 */
final class LastWrites {

    static final int TRIES = 10;

    private static final Optional<ProblemCode> BROKEN = Optional.of(ProblemCode.DFB302);

    private static final Set<ProblemCode> OF_THE_WHOLE_STORE = EnumSet.of(
            ProblemCode.DFB301, ProblemCode.DFB302, ProblemCode.DFB304, ProblemCode.DFB307, ProblemCode.DFB501);

    private final StoreHealth health;
    private final Surroundings surroundings;

    /** Guarded by this. */
    private long firstAtNanos;

    /** Guarded by this. */
    private boolean begun;

    private volatile boolean failed;

    LastWrites(StoreHealth health, Surroundings surroundings) {
        this.health = health;
        this.surroundings = surroundings;
    }

    /** Has it made and waits for it, unless it is too late for that. Never throws. */
    void make(Runnable write) {
        Optional<StoreException> trouble = attempt(write);
        for (int i = 1; i < TRIES && trouble.map(StoreException::code).equals(BROKEN); i++) {
            trouble = attempt(write);
        }
        failed |= trouble.map(StoreException::code)
                .filter(OF_THE_WHOLE_STORE::contains)
                .isPresent();
    }

    /** What was in its way; empty also if it is too late. */
    private Optional<StoreException> attempt(Runnable write) {
        long now = surroundings.clock().nanos();
        Duration left = leftAt(now);
        if (left.isNegative()
                || left.isZero()
                || failed
                || Thread.currentThread().isInterrupted()) {
            return Optional.empty();
        }
        try {
            Errand.await(
                    () -> {
                        write.run();
                        return now;
                    },
                    surroundings.background()::last,
                    left);
            return Optional.empty();
        } catch (StoreException e) {
            health.failed(now, e);
            return Optional.of(e);
        }
    }

    private synchronized Duration leftAt(long now) {
        if (!begun) {
            begun = true;
            firstAtNanos = now;
        }
        return surroundings.timings().writeTimeout().minusNanos(now - firstAtNanos);
    }
}
