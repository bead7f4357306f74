package io.distributedfallback.store;

/** The statements of leases and verdicts, by the rules of {@link PostgresSql}. */
final class LeaseSql {

    /**
     * 1 name, 2 lease.
     *
     * <p>Whoever comes second waits for the lock, finds a lease running and gets no row. Who comes later still does not
     * even wait: the guards are false in what it sees, and nothing is locked or written.
     */
    static final String ACQUIRE_PROBE = """
            WITH held AS MATERIALIZED (
              SELECT b.name FROM distributed_breaker AS b
               WHERE b.name = CAST(?1 AS text) AND b.state = 'OPEN'
                 AND COALESCE(b.next_probe_at <= clock_timestamp(), TRUE)
                 AND COALESCE(b.cooldown_until <= clock_timestamp(), TRUE)
                 AND COALESCE(b.probe_lease_until <= clock_timestamp(), TRUE)
                 AND (b.override_mode IS NULL OR b.override_until <= clock_timestamp())
                 FOR NO KEY UPDATE),
            moment AS MATERIALIZED (SELECT held.name, clock_timestamp() AS now FROM held),
            changed AS (
              UPDATE distributed_breaker AS b
                 SET version = GREATEST(b.version + 1, %1$s), probe_token = GREATEST(b.version + 1, %1$s),
                     probe_lease_until = now + CAST(?2 AS bigint) * INTERVAL '1 microsecond', updated_at = now
                FROM moment WHERE b.name = moment.name
              RETURNING b.*)
            """.formatted(PostgresSql.VERSION_AT) + PostgresSql.CHANGED_ROW;

    /**
     * 1 name, 2 token, 3 verdict, 4 passes that close, 5 interval, 6 instance, 7 policy, 8 ramp-up, 0 if off.
     *
     * <p>A lease that has been given back is NULL, one that has merely run out is not: its verdict counts as long as the
     * token is still the row's.
     */
    static final String REPORT_PROBE =
            """
            WITH held AS MATERIALIZED (
              SELECT b.* FROM distributed_breaker AS b
               WHERE b.name = CAST(?1 AS text) AND b.state = 'OPEN' AND b.probe_token = CAST(?2 AS bigint)
                 AND b.probe_lease_until IS NOT NULL
                 FOR NO KEY UPDATE),
            moment AS MATERIALIZED (SELECT held.*, clock_timestamp() AS now FROM held),
            judged AS (
              SELECT r.*, CASE WHEN %2$s THEN 'INCONCLUSIVE' ELSE CAST(?3 AS text) END AS verdict FROM moment AS r),
            result AS (
              SELECT j.name, j.now, j.verdict, GREATEST(j.version + 1, %1$s) AS next_version,
                     CASE j.verdict WHEN 'PASS' THEN j.consecutive_probe_successes + 1 WHEN 'FAIL' THEN 0
                          ELSE j.consecutive_probe_successes END AS passes,
                     j.verdict = 'PASS' AND j.consecutive_probe_successes + 1 >= CAST(?4 AS integer) AS closes
                FROM judged AS j),
            changed AS (
              UPDATE distributed_breaker AS b
                 SET version = t.next_version,
                     state = CASE WHEN t.closes THEN 'CLOSED' ELSE b.state END,
                     consecutive_failures = CASE WHEN t.closes THEN 0 ELSE b.consecutive_failures END,
                     failure_threshold = CASE WHEN t.closes THEN NULL ELSE b.failure_threshold END,
                     failing_instances = CASE WHEN t.closes THEN CAST(ARRAY[] AS text[]) ELSE b.failing_instances END,
                     recent_failures = CASE WHEN t.closes THEN CAST('[]' AS jsonb) ELSE b.recent_failures END,
                     window_calls = CASE WHEN t.closes THEN 0 ELSE b.window_calls END,
                     window_failures = CASE WHEN t.closes THEN 0 ELSE b.window_failures END,
                     window_started_at = CASE WHEN t.closes THEN NULL ELSE b.window_started_at END,
                     window_until = NULL,
                     cooldown_until = CASE WHEN b.cooldown_until > t.now THEN b.cooldown_until END,
                     consecutive_probe_successes = CASE WHEN t.closes THEN 0 ELSE t.passes END,
                     closed_at = CASE WHEN t.closes THEN t.now ELSE b.closed_at END,
                     next_probe_at = CASE WHEN t.closes THEN NULL
                                          WHEN t.verdict = 'ABANDONED' THEN b.next_probe_at
                                          ELSE t.now + CAST(?5 AS bigint) * INTERVAL '1 microsecond' END,
                     probe_lease_until = NULL,
                     ramp_up_from = CASE WHEN NOT t.closes THEN b.ramp_up_from
                                         WHEN CAST(?8 AS bigint) > 0 THEN GREATEST(t.now, b.cooldown_until) END,
                     ramp_up_until = CASE WHEN NOT t.closes THEN b.ramp_up_until
                                          WHEN CAST(?8 AS bigint) > 0 THEN GREATEST(t.now, b.cooldown_until)
                                               + CAST(?8 AS bigint) * INTERVAL '1 microsecond' END,
                     transition_version = CASE WHEN t.closes THEN t.next_version ELSE b.transition_version END,
                     updated_at = t.now
                FROM result AS t WHERE b.name = t.name
              RETURNING b.*, t.passes),
            history AS (
              INSERT INTO distributed_breaker_transition
                (breaker, version, from_state, to_state, cause, instance, made_at, evidence_count,
                 last_failure_kind, last_failure_text, consecutive_failures, window_calls, window_failures,
                 probes_passed, failing_instances, recent_failures, policy)
              SELECT c.name, c.version, 'OPEN', 'CLOSED', 'PROBES', CAST(?6 AS text), c.updated_at,
                     c.passes, c.last_failure_kind, c.last_failure_text, h.consecutive_failures, h.window_calls,
                     h.window_failures, c.passes, h.failing_instances, h.recent_failures, CAST(?7 AS text)
                FROM changed AS c JOIN held AS h ON h.name = c.name WHERE c.transition_version = c.version)
            """.formatted(PostgresSql.VERSION_AT, PostgresSql.OVERRIDDEN) + PostgresSql.CHANGED_ROW;

    private LeaseSql() {}
}
