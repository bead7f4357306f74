package io.distributedfallback.core;

import java.time.Duration;
import java.util.Optional;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.DoubleSupplier;

/**
 * Whether the shared store answers, and when it may be asked again if it does not.
 *
 * <p>After a failure it is left alone for a while: for 2 s, doubling with each further failure up to 30 s, and of that a
 * part between half and the whole is drawn by lot, so that a thousand instances do not come back at the same moment. It
 * doubles also if the store answered in between, as one does that comes and goes.
 *
 * <p>What was asked before the last failure belongs to it: if it fails as well, that doubles nothing, and if the store has
 * been found meanwhile, it loses nothing. Finding out that this instance is not done with opening the way to the store says
 * nothing of the store: it doubles nothing either, or an instance that begins on a busy machine would know of no breaker for
 * half a minute.
 *
 * <p>Only a read that was asked after the last failure ends a loss: that read also brings the state of all breakers.
 */
final class StoreHealth {

    static final Duration FIRST_BACK_OFF = Duration.ofSeconds(2);
    static final Duration LONGEST_BACK_OFF = Duration.ofSeconds(30);

    private final MonotonicClock clock;
    private final DoubleSupplier chance;
    private final Watcher watcher;

    private volatile Optional<Loss> loss = Optional.empty();
    private volatile int epoch;
    private long failedAtNanos;

    /** When the read was asked that found the store last. */
    private long foundNanos;

    private long backOffNanos;
    private volatile long retryAtNanos;

    /** In the order in which it happened: a loss and a return that follow each other are noticed by two threads. */
    private final Queue<Runnable> toTell = new ConcurrentLinkedQueue<>();

    private final AtomicBoolean isTelling = new AtomicBoolean();

    /** @param chance draws numbers from 0 to just below 1 */
    StoreHealth(MonotonicClock clock, DoubleSupplier chance, Watcher watcher) {
        this.clock = clock;
        this.chance = chance;
        this.watcher = watcher;
        this.failedAtNanos = clock.nanos();
        this.foundNanos = failedAtNanos;
    }

    /** Is told of losses and returns, in their order, on a thread that noticed one. */
    interface Watcher {

        /** The store is about to be lost: makes the stand-in ready, before anybody is sent to it. */
        default void beforeLoss() {}

        /** The store is lost. */
        default void lost(StoreException reason) {}

        /** The store is about to be used again: how many failures this instance offers it. */
        default int toHandOver() {
            return 0;
        }

        /** The store answers again; it had been away for so long, and is offered so many failures. */
        default void back(Duration away, int failures) {}
    }

    /**
     * The store does not answer.
     *
     * @param sinceNanos since when
     * @param reason why, as of the last attempt
     */
    record Loss(long sinceNanos, StoreException reason) {}

    /** Grows with each loss and each return: even while the shared store is up, odd while the stand-in takes its place. */
    int epoch() {
        return epoch;
    }

    static boolean isOfStandIn(int epoch) {
        return epoch % 2 != 0;
    }

    /** Empty while the store answers. */
    Optional<Loss> loss() {
        return loss;
    }

    /** Whether asking makes sense now. */
    boolean mayAsk() {
        return loss.isEmpty() || clock.nanos() - retryAtNanos >= 0;
    }

    /** Something that was asked at that moment failed. */
    void failed(long askedNanos, StoreException reason) {
        synchronized (this) {
            boolean wasUp = loss.isEmpty();
            if (askedNanos - (wasUp ? foundNanos : failedAtNanos) < 0) {
                return;
            }
            long now = clock.nanos();
            boolean saysNothing = reason instanceof StoreOpeningException;
            backOffNanos = backOffAfter(wasUp, saysNothing, now);
            retryAtNanos = now + Math.round((0.5 + chance.getAsDouble() / 2) * backOffNanos);
            if (!saysNothing) {
                failedAtNanos = now;
            }
            if (!wasUp) {
                loss = Optional.of(new Loss(loss.get().sinceNanos(), reason));
                return;
            }
            watcher.beforeLoss();
            epoch++;
            loss = Optional.of(new Loss(now, reason));
            toTell.add(() -> watcher.lost(reason));
        }
        tell();
    }

    private long backOffAfter(boolean wasUp, boolean saysNothing, long now) {
        if (backOffNanos == 0 || (wasUp && now - failedAtNanos > 2 * LONGEST_BACK_OFF.toNanos())) {
            return FIRST_BACK_OFF.toNanos();
        }
        return saysNothing ? backOffNanos : Math.min(2 * backOffNanos, LONGEST_BACK_OFF.toNanos());
    }

    /**
     * A read that was asked at that moment was answered.
     *
     * @return the epoch that the answer belongs to
     */
    int answered(long askedNanos) {
        int current;
        synchronized (this) {
            if (loss.isEmpty() || askedNanos - failedAtNanos < 0) {
                return loss.isEmpty() ? epoch : epoch - 1;
            }
            Duration away = Duration.ofNanos(clock.nanos() - loss.get().sinceNanos());
            int failures = watcher.toHandOver();
            foundNanos = askedNanos;
            epoch++;
            loss = Optional.empty();
            current = epoch;
            toTell.add(() -> watcher.back(away, failures));
        }
        tell();
        return current;
    }

    /** Whoever comes while somebody tells leaves it to that one. */
    private void tell() {
        while (!toTell.isEmpty() && isTelling.compareAndSet(false, true)) {
            try {
                for (Runnable next = toTell.poll(); next != null; next = toTell.poll()) {
                    next.run();
                }
            } finally {
                isTelling.set(false);
            }
        }
    }
}
