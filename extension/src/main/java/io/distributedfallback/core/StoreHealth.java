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
 * doubles also if the store answered in between, as one does that comes and goes. What was under way when it failed belongs
 * to the same failure and doubles nothing; nor does finding out that this instance is not done with opening the way to it,
 * for then an instance that begins on a busy machine would know of no breaker for half a minute. Only a read that was asked after the loss ends it: that read also brings the
 * state of all breakers.
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
    }

    /** Is told of losses and returns, in their order, on a thread that noticed one. */
    interface Watcher {

        /** The store is about to be lost: makes the stand-in ready, before anybody is sent to it. */
        default void beforeLoss() {}

        /** The store is lost. */
        default void lost(StoreException reason) {}

        /** The store answers again; it had been away for so long. */
        default void back(Duration away) {}
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
            if (!wasUp && askedNanos - failedAtNanos < 0) {
                return;
            }
            long now = clock.nanos();
            boolean isFirst = backOffNanos == 0 || (wasUp && now - failedAtNanos > 2 * LONGEST_BACK_OFF.toNanos());
            failedAtNanos = now;
            boolean staysShort = isFirst || reason instanceof StoreOpeningException;
            backOffNanos =
                    staysShort ? FIRST_BACK_OFF.toNanos() : Math.min(2 * backOffNanos, LONGEST_BACK_OFF.toNanos());
            retryAtNanos = now + Math.round((0.5 + chance.getAsDouble() / 2) * backOffNanos);
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
            epoch++;
            loss = Optional.empty();
            current = epoch;
            toTell.add(() -> watcher.back(away));
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
