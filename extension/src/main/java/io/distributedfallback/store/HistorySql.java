package io.distributedfallback.store;

/**
 * The statements of commands and of the history. What a command does is said in the database, in the function {@code
 * distributed_breaker_command}, so that a hand at a terminal and an instance do the same.
 */
final class HistorySql {

    /** 1 name, 2 action, 3 who, 4 why, 5 expiry, 0 if none, 6 instance. */
    static final String COMMAND = "WITH changed AS MATERIALIZED (SELECT c.* FROM distributed_breaker_command("
            + "CAST(?1 AS text), CAST(?2 AS text), CAST(?3 AS text), CAST(?4 AS text),"
            + " NULLIF(CAST(?5 AS bigint), 0) * INTERVAL '1 microsecond', CAST(?6 AS text)) AS c) "
            + PostgresSql.COMMANDED_ROW + "FROM (SELECT c.*, c.updated_at AS now FROM changed AS c) AS r";

    /** Runs nothing. */
    static final String VALIDATE_COMMAND = "SELECT c.version FROM distributed_breaker_command("
            + "CAST(NULL AS text), CAST(NULL AS text), CAST(NULL AS text), CAST(NULL AS text),"
            + " CAST(NULL AS interval), CAST(NULL AS text)) AS c WHERE FALSE";

    /**
     * The entry as {@link StoredEntry} wants it. An instance of an older version says less: how many failures or passes
     * there were, and what the last failure was, which for an opening is the one that its own write brought.
     */
    private static final String ENTRY = """
            SELECT t.id, t.breaker, CAST(extract(epoch FROM t.made_at) * 1000000 AS bigint) AS made_at,
                   t.from_state, t.to_state,
                   CASE WHEN t.ramp_up_percent IS NOT NULL THEN 'RAMP_UP' ELSE t.cause END AS cause, t.instance,
                   COALESCE(t.consecutive_failures, CASE WHEN t.cause = 'FAILURES' THEN t.evidence_count ELSE 0 END)
                     AS consecutive_failures,
                   COALESCE(t.window_calls, 0) AS window_calls,
                   COALESCE(t.window_failures, CASE WHEN t.cause = 'FAILURE_RATIO' THEN t.evidence_count ELSE 0 END)
                     AS window_failures,
                   COALESCE(t.probes_passed, CASE WHEN t.cause = 'PROBES' THEN t.evidence_count ELSE 0 END)
                     AS probes_passed,
                   array_to_string(t.failing_instances, chr(31)) AS failing_instances,
                   CASE WHEN t.recent_failures IS NOT NULL THEN (
                          SELECT string_agg(
                                   CAST(CAST(extract(epoch FROM CAST(f.value ->> 'at' AS timestamptz)) * 1000000
                                          AS bigint) AS text) || chr(31) || COALESCE(f.value ->> 'kind', '') || chr(31)
                                     || COALESCE(f.value ->> 'text', '') || chr(31)
                                     || COALESCE(f.value ->> 'instance', ''),
                                   chr(30) ORDER BY f.nr)
                            FROM jsonb_array_elements(t.recent_failures) WITH ORDINALITY AS f (value, nr))
                        WHEN t.to_state = 'OPEN' AND t.last_failure_kind IS NOT NULL THEN
                          CAST(CAST(extract(epoch FROM t.made_at) * 1000000 AS bigint) AS text) || chr(31)
                            || t.last_failure_kind || chr(31) || COALESCE(t.last_failure_text, '') || chr(31) || t.instance
                        END AS recent_failures,
                   t.policy, t.ramp_up_percent, t.commanded_action, t.commanded_by, t.reason, t.from_override, t.to_override,
                   CAST(extract(epoch FROM t.override_until) * 1000000 AS bigint) AS override_until
              FROM distributed_breaker_transition AS t
            """;

    /** 1 name, 2 id of an entry that is newer than all of them, 3 how many at most. */
    static final String OF_ONE = ENTRY + """
             WHERE t.breaker = CAST(?1 AS text) AND t.id < CAST(?2 AS bigint)
             ORDER BY t.id DESC LIMIT CAST(?3 AS integer)
            """;

    /** As {@link #OF_ONE}, but 1 prefix of the names. */
    static final String OF_ALL = ENTRY + """
             WHERE starts_with(t.breaker, CAST(?1 AS text)) AND t.id < CAST(?2 AS bigint)
             ORDER BY t.id DESC LIMIT CAST(?3 AS integer)
            """;

    private HistorySql() {}
}
