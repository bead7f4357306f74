package io.distributedfallback.core;

import java.time.Duration;
import java.util.function.Supplier;

/**
 * What an instance has to say to the shared store when its application stops.
 *
 * <ol>
 *   <li>A server that stops as a whole may have shut its executors down before it tells the application (Open Liberty has).
 *       So this has its threads from {@link Background#last}; and a store that was lost for want of a thread is asked all
 *       the same, for it may be the stop that has taken the thread.
 *   <li>All of it together holds the stop up for {@link Timings#writeTimeout()} at most. After that, and once the store
 *       has failed, nothing more is said.
 * </ol>
 */
final class LastWrites {

    private final StoreHealth health;
    private final Surroundings surroundings;

    /** Guarded by this. */
    private long firstAtNanos;

    /** Guarded by this. */
    private boolean begun;

    LastWrites(StoreHealth health, Surroundings surroundings) {
        this.health = health;
        this.surroundings = surroundings;
    }

    /** Has it made and waits for it, unless it is too late for that. Never throws. */
    void make(Supplier<?> write) {
        long now = surroundings.clock().nanos();
        Duration left = leftAt(now);
        if (left.isNegative() || left.isZero() || !mayBeThere()) {
            return;
        }
        try {
            Errand.await(write::get, surroundings.background()::last, left);
        } catch (StoreException e) {
            health.failed(now, e);
        }
    }

    private synchronized Duration leftAt(long now) {
        if (!begun) {
            begun = true;
            firstAtNanos = now;
        }
        return surroundings.timings().writeTimeout().minusNanos(now - firstAtNanos);
    }

    private boolean mayBeThere() {
        return health.loss()
                .map(loss -> loss.reason().code() == ProblemCode.DFB501)
                .orElse(true);
    }
}
