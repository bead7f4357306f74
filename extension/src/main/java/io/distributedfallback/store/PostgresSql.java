package io.distributedfallback.store;

/**
 * The statements of cooldowns, leases and verdicts, and of the read; {@link EvidenceSql} has those that count, {@link
 * RetirementSql} those that tidy up. Java decides which change is wanted; a statement does the arithmetic and the guards,
 * and says who won.
 *
 * <p>What they all have in common, and why:
 *
 * <ol>
 *   <li><b>One statement per change.</b> The change and its entry in the history are parts of one {@code WITH}, so there
 *       is no moment in which one is there without the other.
 *   <li><b>The time is taken once, and after the row is locked.</b> {@code now()} is frozen when the transaction begins,
 *       and {@code clock_timestamp()} in {@code VALUES}, or in the {@code SET} of a plain {@code UPDATE}, is evaluated
 *       before the wait for the lock. So an upsert takes it in a sub-select of {@code DO UPDATE SET}, which runs with the
 *       lock held; the others lock in a first step ({@code held}) and take it from a second ({@code moment}). The guards of
 *       {@code held} may see an earlier time: what they ask for (a deadline has come) does not become untrue by waiting,
 *       and PostgreSQL asks them again if the row was changed meanwhile.
 *   <li><b>{@code updated_at} is that time</b>, so that the answer counts what remains from the same moment.
 *   <li><b>The version is the write's own id.</b> It is the microsecond of the change or one more than before, whichever is
 *       greater: it grows even if the clock is set back, and starts higher, not at 1, if a row is deleted and comes
 *       into being again. A change of state stamps the row with it ({@code transition_version}); the write that finds
 *       its own version there made the change. A lease takes it for its token.
 *   <li><b>Times leave as numbers</b>, in microseconds: what remains, or since 1970. The providers do not agree on the
 *       Java type of a {@code timestamptz}, and numbers know no zone.
 *   <li><b>Positional parameters and {@code CAST}</b>, no {@code ::}, no colon, no other question mark: that is what
 *       both providers pass on unharmed.
 * </ol>
 */
final class PostgresSql {

    static final String VERSION_AT = "CAST(extract(epoch FROM now) * 1000000 AS bigint)";

    /** In force: set, and not run out. */
    private static final String OVERRIDDEN =
            "(r.override_mode IS NOT NULL AND COALESCE(r.override_until > r.now, TRUE))";

    /** While closed only a window that is under way counts; an open breaker shows the one that it opened in. */
    private static final String WINDOW_SHOWN = "(r.state = 'OPEN' OR " + underWay("r", "r.now") + ")";

    /**
     * The row as {@link StoredRow} wants it, from {@code r} as of {@code r.now}. {@code GREATEST} ignores a NULL, so a
     * deadline that is not set, or that somebody has cleared by hand, has come. A statement that wrote nothing has no
     * number of a transaction, and has made no transition.
     */
    static final String ROW = "SELECT r.name, r.version, r.state, r.consecutive_failures, r.failure_threshold, "
            + "CASE WHEN r.consecutive_failures > 0 OR " + WINDOW_SHOWN
            + " THEN array_to_string(r.failing_instances, chr(31)) END AS failing_instances, "
            + since1970("opened_at") + ", " + since1970("closed_at") + ", "
            + "CASE WHEN " + WINDOW_SHOWN + " THEN r.window_calls ELSE 0 END AS window_calls, "
            + "CASE WHEN " + WINDOW_SHOWN + " THEN r.window_failures ELSE 0 END AS window_failures, "
            + "CASE WHEN r.state = 'CLOSED' THEN " + left("window_until")
            + " ELSE CAST(0 AS bigint) END AS window_left, "
            + "r.consecutive_probe_successes, "
            + "CASE WHEN r.state = 'OPEN' THEN " + left("next_probe_at") + " END AS until_next_probe, "
            + left("probe_lease_until") + " AS lease_left, r.probe_token, "
            + left("cooldown_until") + " AS cooldown_left, "
            + "CASE WHEN " + OVERRIDDEN + " THEN r.override_mode END AS override_mode, "
            + "r.override_by, r.override_reason, "
            + "CASE WHEN r.override_until IS NOT NULL THEN " + left("override_until") + " END AS override_left, "
            + since1970("last_failure_at") + ", r.last_failure_kind, r.last_failure_text, r.last_failure_instance, "
            + since1970("updated_at") + ", "
            + "CASE WHEN r.transition_version = r.version AND pg_current_xact_id_if_assigned() IS NOT NULL"
            + " THEN CASE WHEN r.state = 'CLOSED' THEN 'PROBES'"
            + " WHEN r.consecutive_failures >= r.failure_threshold THEN 'FAILURES' ELSE 'FAILURE_RATIO' END END AS cause, "
            + "CAST(CAST(pg_current_xact_id_if_assigned() AS text) AS bigint) AS transaction_id ";

    static final String CHANGED_ROW = ROW + "FROM (SELECT c.*, c.updated_at AS now FROM changed AS c) AS r";

    /**
     * The rows that matter, found among those that may. {@code starts_with} and not LIKE: a prefix may contain % and _.
     */
    static final String READ_ALL = "WITH moment AS MATERIALIZED (SELECT clock_timestamp() AS now) " + ROW
            + "FROM (SELECT b.*, moment.now FROM distributed_breaker AS b CROSS JOIN moment) AS r "
            + "WHERE r.active AND starts_with(r.name, CAST(?1 AS text)) "
            + "AND (r.consecutive_failures > 0 OR " + WINDOW_SHOWN + " OR r.cooldown_until > r.now OR " + OVERRIDDEN
            + ")";

    /**
     * 1 name, 2 kind, 3 text, 4 instance, 5 delay, 6 whether a moment is given instead, 7 that moment, 8 maximum.
     *
     * <p>{@code LEAST} cuts to the maximum; {@code GREATEST} keeps the end in force if that is later, so whatever order
     * writes come in, the longest pause asked for is the one obeyed.
     */
    static final String COOL_DOWN = """
            WITH changed AS (
              INSERT INTO distributed_breaker AS b
                (name, version, cooldown_until,
                 last_failure_at, last_failure_kind, last_failure_text, last_failure_instance, updated_at)
              SELECT CAST(?1 AS text), %1$s, CASE WHEN %2$s > now THEN %2$s END, now, CAST(?2 AS text), CAST(?3 AS text), CAST(?4 AS text), now
                FROM (SELECT clock_timestamp() AS now) AS clock
              ON CONFLICT (name) DO UPDATE SET
                (version, cooldown_until,
                 last_failure_at, last_failure_kind, last_failure_text, last_failure_instance, updated_at) =
                (SELECT GREATEST(b.version + 1, %1$s),
                        CASE WHEN GREATEST(b.cooldown_until, %2$s) > now THEN GREATEST(b.cooldown_until, %2$s) END,
                        now, CAST(?2 AS text), CAST(?3 AS text), CAST(?4 AS text), now
                   FROM (SELECT clock_timestamp() AS now) AS clock)
              RETURNING b.*)
            """.formatted(
                            VERSION_AT,
                            "LEAST(CASE WHEN CAST(?6 AS integer) = 1"
                                    + " THEN TIMESTAMPTZ 'epoch' + CAST(?7 AS bigint) * INTERVAL '1 microsecond'"
                                    + " ELSE now + CAST(?5 AS bigint) * INTERVAL '1 microsecond' END,"
                                    + " now + CAST(?8 AS bigint) * INTERVAL '1 microsecond')")
            + CHANGED_ROW;

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
            """.formatted(VERSION_AT) + CHANGED_ROW;

    /**
     * 1 name, 2 token, 3 verdict, 4 passes that close, 5 interval, 6 instance.
     *
     * <p>A lease that has been given back is NULL, one that has merely run out is not: its verdict counts as long as the
     * token is still the row's.
     */
    static final String REPORT_PROBE = """
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
                     transition_version = CASE WHEN t.closes THEN t.next_version ELSE b.transition_version END,
                     updated_at = t.now
                FROM result AS t WHERE b.name = t.name
              RETURNING b.*, t.passes),
            history AS (
              INSERT INTO distributed_breaker_transition
                (breaker, version, from_state, to_state, cause, instance, made_at, evidence_count,
                 last_failure_kind, last_failure_text)
              SELECT c.name, c.version, 'OPEN', 'CLOSED', 'PROBES', CAST(?6 AS text), c.updated_at,
                     c.passes, c.last_failure_kind, c.last_failure_text
                FROM changed AS c WHERE c.transition_version = c.version)
            """.formatted(VERSION_AT, OVERRIDDEN) + CHANGED_ROW;

    /**
     * 1 number of a transaction. PostgreSQL has forgotten old ones, and refuses to speak of numbers that it has not reached:
     * as after a crash, if nothing of the transaction had got to the disk.
     */
    static final String FATE = """
            SELECT COALESCE(CASE WHEN x.id < pg_snapshot_xmax(pg_current_snapshot()) THEN pg_xact_status(x.id) END,
                            'unknown')
              FROM (SELECT CAST(CAST(CAST(?1 AS bigint) AS text) AS xid8) AS id) AS x
            """;

    /**
     * The version of the tables that are there, 0 if one is missing. Asked first, because CREATE ... IF NOT EXISTS needs the
     * right to create even so, and ALTER TABLE ... IF NOT EXISTS a lock that keeps everybody away.
     */
    static final String SCHEMA_VERSION = """
            SELECT CASE WHEN to_regclass('distributed_breaker') IS NULL
                          OR to_regclass('distributed_breaker_transition') IS NULL THEN 0
                        WHEN to_regprocedure('distributed_breaker_reset(text,text,text)') IS NOT NULL THEN 3
                        WHEN EXISTS (SELECT FROM pg_attribute WHERE attrelid = to_regclass('distributed_breaker')
                                        AND attname = 'active' AND NOT attisdropped) THEN 2
                        ELSE 1 END
            """;

    /**
     * Makes those who create the tables at the same moment do it one after the other: CREATE ... IF NOT EXISTS alone can
     * fail with 23505. Ends with the transaction, so that it also works behind PgBouncer. The number is the product's own.
     */
    static final String LOCK_SCHEMA =
            "SELECT CAST(count(*) AS integer) FROM pg_advisory_xact_lock(4918247360155231745)";

    static final String ISOLATION = "SELECT current_setting('transaction_isolation')";

    static final String READ_COMMITTED = "SET TRANSACTION ISOLATION LEVEL READ COMMITTED";

    private PostgresSql() {}

    /** Whether a closed row's window is; one that an instance of the first version, which knows none, left behind is not. */
    static String underWay(String row, String now) {
        return "COALESCE(%1$s.window_until > %2$s AND COALESCE(%1$s.window_started_at >= %1$s.closed_at, TRUE), FALSE)"
                .formatted(row, now);
    }

    private static String since1970(String column) {
        return "CAST(extract(epoch FROM r." + column + ") * 1000000 AS bigint) AS " + column;
    }

    private static String left(String column) {
        return "CAST(extract(epoch FROM GREATEST(r." + column + ", r.now) - r.now) * 1000000 AS bigint)";
    }
}
