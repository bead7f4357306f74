package io.distributedfallback.core;

import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.IntSupplier;

/**
 * Has rows deleted that nobody needs any more, those of keys that are no longer used above all, and entries of the history
 * that are older than anybody wants them. Done after a write, for then the database is written to anyway and healthy traffic
 * goes on writing nothing; once in ten minutes for an instance, first after its first write, because it may not live for long.
 * In the background; a failure of it is told and loses no store.
 */
final class Retirement {

    private static final long PAUSE_NANOS = Duration.ofMinutes(10).toNanos();
    private static final int MOST_ROUNDS = 100;

    private final BreakerStore store;
    private final Surroundings surroundings;
    private final Optional<Duration> idle;
    private final Optional<Duration> retention;
    private final AtomicLong dueNanos;

    /** @param store the one that keeps the rows of this instance while all is well */
    Retirement(BreakerStore store, Surroundings surroundings) {
        this.store = store;
        this.surroundings = surroundings;
        this.idle = surroundings.timings().retireAfter();
        this.retention = surroundings.timings().historyRetention();
        this.dueNanos = new AtomicLong(surroundings.clock().nanos());
    }

    /** Something has been written. */
    void afterWrite() {
        long now = surroundings.clock().nanos();
        long due = dueNanos.get();
        if (now - due >= 0 && dueNanos.compareAndSet(due, now + PAUSE_NANOS)) {
            try {
                surroundings.background().run(this::tidyUp);
            } catch (RejectedExecutionException e) {
                // There is no hurry.
            }
        }
    }

    /** Of the two one may be allowed and the other not; if neither is, that is told once. */
    private void tidyUp() {
        Optional<StoreException> rows = idle.flatMap(after -> inRounds(() -> store.retire(after)));
        Optional<StoreException> entries = retention.flatMap(longest -> inRounds(() -> store.trimHistory(longest)));
        rows.ifPresent(surroundings.listener()::storeTrouble);
        entries.filter(trouble ->
                        rows.map(told -> told.code() != trouble.code()).orElse(true))
                .ifPresent(surroundings.listener()::storeTrouble);
    }

    /** A store may delete only some at a time. */
    private static Optional<StoreException> inRounds(IntSupplier deletion) {
        try {
            int rounds = 0;
            while (deletion.getAsInt() > 0 && rounds < MOST_ROUNDS) {
                rounds++;
            }
            return Optional.empty();
        } catch (RuntimeException | Error e) {
            return Optional.of(StoreException.of(e));
        }
    }
}
