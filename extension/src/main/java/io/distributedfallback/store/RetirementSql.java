package io.distributedfallback.store;

/**
 * Statements that tidy up. Each takes a thousand rows at most, so that it holds no lock for long, and only rows that nobody
 * else holds, so that it waits for nobody and instances that tidy up at the same moment share the work. Each answers with
 * the number of rows.
 */
final class RetirementSql {

    private static final int AT_MOST = 1_000;

    /** In force neither at the time that is read before the lock nor, because deadlines only come, after it. */
    private static final String AT_REST = "COALESCE(b.cooldown_until <= clock_timestamp(), TRUE)"
            + " AND COALESCE(b.ramp_up_until <= clock_timestamp(), TRUE)";

    /**
     * 1 prefix. Takes rows out of the index of the active ones whose window, cooldown, growing share or override has ended with nobody there
     * to write so. Nothing that can be read changes, so the version does not either.
     */
    static final String PUT_ASIDE = """
            WITH ended AS MATERIALIZED (
              SELECT b.name FROM distributed_breaker AS b
               WHERE b.active AND starts_with(b.name, CAST(?1 AS text))
                 AND b.state = 'CLOSED' AND b.consecutive_failures = 0
                 AND (b.override_mode IS NULL OR b.override_until <= clock_timestamp())
                 AND COALESCE(b.window_until <= clock_timestamp(), TRUE) AND %s
               LIMIT %d FOR NO KEY UPDATE SKIP LOCKED),
            changed AS (
              UPDATE distributed_breaker AS b SET window_until = NULL, cooldown_until = NULL,
                     ramp_up_from = NULL, ramp_up_until = NULL,
                     override_mode = NULL, override_by = NULL, override_reason = NULL, override_until = NULL
                FROM ended WHERE b.name = ended.name
              RETURNING b.name)
            SELECT CAST(count(*) AS integer) FROM changed
            """.formatted(AT_REST, AT_MOST);

    /** 1 prefix, 2 for how long nobody has changed it. */
    static final String DELETE = """
            WITH idle AS MATERIALIZED (
              SELECT b.name FROM distributed_breaker AS b
               WHERE starts_with(b.name, CAST(?1 AS text)) AND b.state = 'CLOSED'
                 AND b.updated_at <= clock_timestamp() - CAST(?2 AS bigint) * INTERVAL '1 microsecond'
                 AND %s AND (b.override_mode IS NULL OR b.override_until <= clock_timestamp())
               LIMIT %d FOR UPDATE SKIP LOCKED),
            deleted AS (
              DELETE FROM distributed_breaker AS b USING idle WHERE b.name = idle.name
              RETURNING b.name)
            SELECT CAST(count(*) AS integer) FROM deleted
            """.formatted(AT_REST, AT_MOST);

    /**
     * 1 prefix, 2 retention. Of instances that come at the same moment one gets the lock, which ends with its transaction,
     * and the others delete nothing. The number is the product's own.
     */
    static final String TRIM_HISTORY = """
            WITH turn AS MATERIALIZED (SELECT pg_try_advisory_xact_lock(4918247360155231746) AS mine),
            old AS MATERIALIZED (
              SELECT t.id FROM distributed_breaker_transition AS t
               WHERE (SELECT mine FROM turn) AND starts_with(t.breaker, CAST(?1 AS text))
                 AND t.made_at <= clock_timestamp() - CAST(?2 AS bigint) * INTERVAL '1 microsecond'
               ORDER BY t.made_at LIMIT %d),
            deleted AS (
              DELETE FROM distributed_breaker_transition AS t USING old WHERE t.id = old.id
              RETURNING t.id)
            SELECT CAST(count(*) AS integer) FROM deleted
            """.formatted(AT_MOST);

    private RetirementSql() {}
}
