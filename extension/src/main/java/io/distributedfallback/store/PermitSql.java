package io.distributedfallback.store;

/**
 * The statements of permits, by the rules of {@link PostgresSql}: a row is a bucket, filled by the database's time, which is
 * taken when the row is locked. A clock that is set back fills nothing, one that is set forward no more than the bucket.
 */
final class PermitSql {

    /**
     * 1 name, 2 permits a second, 3 burst, 4 wanted. Answers what was taken, the microseconds until there is another one,
     * and those of a pause that are left.
     */
    static final String TAKE = """
            WITH changed AS (
              INSERT INTO distributed_fallback_permit AS p
                (name, permits_per_second, burst, tokens, last_block, refilled_at)
              SELECT CAST(?1 AS text), CAST(?2 AS integer), CAST(?3 AS integer),
                     CAST(?3 AS integer) - LEAST(CAST(?4 AS integer), CAST(?3 AS integer)),
                     LEAST(CAST(?4 AS integer), CAST(?3 AS integer)), clock.now
                FROM (SELECT clock_timestamp() AS now) AS clock
              ON CONFLICT (name) DO UPDATE SET
                (permits_per_second, burst, tokens, last_block, refilled_at) =
                (SELECT CAST(?2 AS integer), CAST(?3 AS integer), f.tokens - f.block, f.block, f.now
                   FROM (SELECT t.now, t.tokens,
                                CASE WHEN p.paused_until > t.now THEN 0
                                     ELSE LEAST(CAST(?4 AS integer), CAST(floor(t.tokens) AS integer)) END AS block
                           FROM (SELECT clock.now,
                                        LEAST(CAST(?3 AS integer), p.tokens + CAST(?2 AS integer)
                                              * GREATEST(0, extract(epoch FROM clock.now - p.refilled_at))) AS tokens
                                   FROM (SELECT clock_timestamp() AS now) AS clock) AS t) AS f)
              RETURNING p.*)
            SELECT c.last_block,
                   CAST(GREATEST(0, ceil((1 - c.tokens) / c.permits_per_second * 1000000)) AS bigint) AS until_next,
                   CAST(GREATEST(0, extract(epoch FROM c.paused_until - c.refilled_at) * 1000000) AS bigint) AS pause_left
              FROM changed AS c
            """;

    /**
     * 1 name, 2 permits a second, 3 burst, 4 the longest pause, or the pause, in microseconds, 5 whether a moment is given,
     * 6 that moment. Never shortens a pause, and leaves the bucket as it is.
     */
    static final String PAUSE = """
            WITH changed AS (
              INSERT INTO distributed_fallback_permit AS p
                (name, permits_per_second, burst, tokens, last_block, refilled_at, paused_until)
              SELECT CAST(?1 AS text), CAST(?2 AS integer), CAST(?3 AS integer), CAST(?3 AS integer), 0, clock.now, %1$s
                FROM (SELECT clock_timestamp() AS now) AS clock
              ON CONFLICT (name) DO UPDATE SET paused_until =
                (SELECT GREATEST(p.paused_until, %1$s) FROM (SELECT clock_timestamp() AS now) AS clock)
              RETURNING p.*)
            SELECT CAST(count(*) AS integer) FROM changed
            """.formatted("LEAST(clock.now + CAST(?4 AS bigint) * INTERVAL '1 microsecond',"
            + " CASE WHEN CAST(?5 AS integer) = 1"
            + " THEN TIMESTAMPTZ 'epoch' + CAST(?6 AS bigint) * INTERVAL '1 microsecond' END)");

    private PermitSql() {}
}
