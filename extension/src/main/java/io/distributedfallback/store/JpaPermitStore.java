package io.distributedfallback.store;

import io.distributedfallback.RetryAfter;
import io.distributedfallback.limit.LimitSettings;
import io.distributedfallback.limit.PermitStore;
import java.time.Duration;
import java.time.Instant;

/** The permits of a limit as a row of a PostgreSQL table: each operation is one statement of {@link PermitSql}. */
final class JpaPermitStore implements PermitStore {

    private static final long NANOS_PER_MICRO = 1_000;

    private final BreakerDatabase database;
    private final String prefix;

    JpaPermitStore(BreakerDatabase database, String prefix) {
        this.database = database;
        this.prefix = prefix;
    }

    @Override
    public Block take(LimitSettings limit, int wanted) {
        Object[] line = (Object[])
                database.value(PermitSql.TAKE, prefix + limit.name(), limit.permitsPerSecond(), limit.burst(), wanted);
        return new Block(
                ((Number) line[0]).intValue(), number(line[1]) * NANOS_PER_MICRO, number(line[2]) * NANOS_PER_MICRO);
    }

    @Override
    public void pause(LimitSettings limit, RetryAfter until, Duration most) {
        Duration delay = until instanceof RetryAfter.In in && in.delay().compareTo(most) < 0 ? in.delay() : most;
        Instant moment = until instanceof RetryAfter.At at ? at.moment() : Instant.EPOCH;
        Object unused = database.value(
                PermitSql.PAUSE,
                prefix + limit.name(),
                limit.permitsPerSecond(),
                limit.burst(),
                JpaBreakerStore.micros(delay),
                until instanceof RetryAfter.At ? 1 : 0,
                JpaBreakerStore.microsSince1970(moment));
    }

    private static long number(Object column) {
        return ((Number) column).longValue();
    }
}
