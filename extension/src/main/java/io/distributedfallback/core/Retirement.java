package io.distributedfallback.core;

import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.atomic.AtomicLong;

/**
 * Has rows deleted that nobody needs any more, those of keys that are no longer used above all. Done after a write, for then
 * the database is written to anyway and healthy traffic goes on writing nothing; at most once an hour for an instance, first
 * after its first write, because it may not live for an hour. In the background; a failure of it is told and loses no store.
 */
final class Retirement {

    private static final long PAUSE_NANOS = Duration.ofHours(1).toNanos();
    private static final int MOST_ROUNDS = 100;

    private final BreakerStore store;
    private final Surroundings surroundings;
    private final Optional<Duration> idle;
    private final AtomicLong dueNanos;

    /** @param store the one that keeps the rows of this instance while all is well */
    Retirement(BreakerStore store, Surroundings surroundings) {
        this.store = store;
        this.surroundings = surroundings;
        this.idle = surroundings.timings().retireAfter();
        this.dueNanos = new AtomicLong(surroundings.clock().nanos());
    }

    /** Something has been written. */
    void afterWrite() {
        long now = surroundings.clock().nanos();
        long due = dueNanos.get();
        if (idle.isPresent() && now - due >= 0 && dueNanos.compareAndSet(due, now + PAUSE_NANOS)) {
            try {
                surroundings.background().run(() -> retire(idle.get()));
            } catch (RejectedExecutionException e) {
                // There is no hurry.
            }
        }
    }

    /** A store may delete only some at a time. */
    private void retire(Duration after) {
        try {
            int rounds = 0;
            while (store.retire(after) > 0 && rounds < MOST_ROUNDS) {
                rounds++;
            }
        } catch (RuntimeException | Error e) {
            surroundings.listener().storeTrouble(StoreException.of(e));
        }
    }
}
