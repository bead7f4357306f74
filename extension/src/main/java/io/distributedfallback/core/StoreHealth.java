package io.distributedfallback.core;

import java.time.Duration;
import java.util.function.Consumer;

/**
 * Whether the shared store answers, and when it may be asked again if it does not.
 *
 * <p>After a failure it is left alone for 2 s, doubling with each further failure up to 30 s; also if it answered in
 * between, as a store does that can be read and not written: each return costs this instance what it has found out
 * itself. What was under way when it failed belongs to the same failure and doubles nothing. Only a read that was asked
 * after the loss ends it: that read also brings the state of all breakers.
 */
final class StoreHealth {

    static final Duration FIRST_BACK_OFF = Duration.ofSeconds(2);
    static final Duration LONGEST_BACK_OFF = Duration.ofSeconds(30);

    private final MonotonicClock clock;
    private final Runnable beforeLoss;
    private final Consumer<StoreException> afterLoss;
    private final Runnable afterReturn;

    private volatile boolean up = true;
    private volatile int epoch;
    private long failedAtNanos;
    private long backOffNanos;
    private volatile long retryAtNanos;

    /**
     * @param beforeLoss makes the stand-in ready, before anybody is sent to it
     * @param afterLoss tells of it
     * @param afterReturn tells of it
     */
    StoreHealth(MonotonicClock clock, Runnable beforeLoss, Consumer<StoreException> afterLoss, Runnable afterReturn) {
        this.clock = clock;
        this.beforeLoss = beforeLoss;
        this.afterLoss = afterLoss;
        this.afterReturn = afterReturn;
    }

    /** Grows with each loss and each return: even while the shared store is up, odd while the stand-in takes its place. */
    int epoch() {
        return epoch;
    }

    static boolean isOfStandIn(int epoch) {
        return epoch % 2 != 0;
    }

    /** Whether asking makes sense now. */
    boolean mayAsk() {
        return up || clock.nanos() - retryAtNanos >= 0;
    }

    /** Something that was asked at that moment failed. */
    void failed(long askedNanos, StoreException reason) {
        synchronized (this) {
            if (!up && askedNanos - failedAtNanos < 0) {
                return;
            }
            long now = clock.nanos();
            boolean isFirst = backOffNanos == 0 || (up && now - failedAtNanos > 2 * LONGEST_BACK_OFF.toNanos());
            failedAtNanos = now;
            backOffNanos = isFirst ? FIRST_BACK_OFF.toNanos() : Math.min(2 * backOffNanos, LONGEST_BACK_OFF.toNanos());
            retryAtNanos = failedAtNanos + backOffNanos;
            if (!up) {
                return;
            }
            beforeLoss.run();
            epoch++;
            up = false;
        }
        afterLoss.accept(reason);
    }

    /**
     * A read that was asked at that moment was answered.
     *
     * @return the epoch that the answer belongs to
     */
    int answered(long askedNanos) {
        int current;
        synchronized (this) {
            if (up || askedNanos - failedAtNanos < 0) {
                return up ? epoch : epoch - 1;
            }
            epoch++;
            up = true;
            current = epoch;
        }
        afterReturn.run();
        return current;
    }
}
