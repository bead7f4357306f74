package io.distributedfallback.store;

/**
 * The statements of cooldowns and of the read; {@link EvidenceSql} has those that count, {@link LeaseSql} those of leases and
 * verdicts, {@link HistorySql} those of commands and the history, {@link RetirementSql} those that tidy up. Java decides
 * which change is wanted; a statement does the arithmetic and the guards, and says who won.
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
    static final String OVERRIDDEN = "(r.override_mode IS NOT NULL AND COALESCE(r.override_until > r.now, TRUE))";

    /** While closed only a window that is under way counts; an open breaker shows the one that it opened in. */
    static final String WINDOW_SHOWN = "(r.state = 'OPEN' OR " + underWay("r", "r.now") + ")";

    /** Whether the share of calls that a closed row lets through still grows. */
    private static final String RAMPING = ramping("r", "r.now");

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
            + "CASE WHEN " + RAMPING + " THEN " + left("ramp_up_until") + " END AS ramp_up_left, "
            + "CASE WHEN " + RAMPING
            + " THEN CAST(extract(epoch FROM r.ramp_up_until - r.ramp_up_from) * 1000000 AS bigint)"
            + " END AS ramp_up_length, "
            + left("cooldown_until") + " AS cooldown_left, "
            + "CASE WHEN " + OVERRIDDEN + " THEN r.override_mode END AS override_mode, "
            + "r.override_by, r.override_reason, "
            + "CASE WHEN r.override_until IS NOT NULL THEN " + left("override_until") + " END AS override_left, "
            + since1970("last_failure_at") + ", r.last_failure_kind, r.last_failure_text, r.last_failure_instance, "
            + since1970("updated_at") + ", "
            + "CASE WHEN r.transition_version = r.version AND pg_current_xact_id_if_assigned() IS NOT NULL"
            + " THEN CASE WHEN r.state = 'CLOSED' THEN 'PROBES' WHEN r.ramp_up_until IS NOT NULL THEN 'RAMP_UP'"
            + " WHEN r.consecutive_failures >= r.failure_threshold THEN 'FAILURES' ELSE 'FAILURE_RATIO' END END AS cause, "
            + "CAST(CAST(pg_current_xact_id_if_assigned() AS text) AS bigint) AS transaction_id ";

    /** The same of what an operator commanded, who is the cause then. */
    static final String COMMANDED_ROW = ROW.replace("'PROBES'", "'OPERATOR'");

    static final String CHANGED_ROW = ROW + "FROM (SELECT c.*, c.updated_at AS now FROM changed AS c) AS r";

    /**
     * The rows that matter, found among those that may. {@code starts_with} and not LIKE: a prefix may contain % and _.
     */
    static final String READ_ALL = "WITH moment AS MATERIALIZED (SELECT clock_timestamp() AS now) " + ROW
            + "FROM (SELECT b.*, moment.now FROM distributed_breaker AS b CROSS JOIN moment) AS r "
            + "WHERE r.active AND starts_with(r.name, CAST(?1 AS text)) "
            + "AND (r.consecutive_failures > 0 OR " + WINDOW_SHOWN + " OR r.cooldown_until > r.now OR " + OVERRIDDEN
            + " OR " + RAMPING + ")";

    /**
     * Touches no row and writes nothing, and yet is refused where a write would be: in a transaction that may only read, as
     * on a standby, and to a role without the rights that counting and opening need.
     */
    static final String REQUIRE_WRITABLE = """
            WITH updated AS (UPDATE distributed_breaker SET version = version WHERE FALSE RETURNING 1),
                 made AS (INSERT INTO distributed_breaker (name) SELECT name FROM distributed_breaker WHERE FALSE),
                 entered AS (INSERT INTO distributed_breaker_transition (breaker) SELECT name FROM distributed_breaker WHERE FALSE)
            SELECT CAST(count(*) AS integer) FROM updated
            """;

    /**
     * 1 name, 2 kind, 3 text, 4 instance, 5 delay, 6 whether a moment is given instead, 7 that moment, 8 maximum.
     *
     * <p>{@code LEAST} cuts to the maximum; {@code GREATEST} keeps the end in force if that is later, so whatever order
     * writes come in, the longest pause asked for is the one obeyed. A share of calls that was growing does so all over again
     * after it.
     */
    static final String COOL_DOWN = """
            WITH changed AS (
              INSERT INTO distributed_breaker AS b
                (name, version, cooldown_until,
                 last_failure_at, last_failure_kind, last_failure_text, last_failure_instance, updated_at)
              SELECT CAST(?1 AS text), %1$s, CASE WHEN %2$s > now THEN %2$s END, now, CAST(?2 AS text), CAST(?3 AS text), CAST(?4 AS text), now
                FROM (SELECT clock_timestamp() AS now) AS clock
              ON CONFLICT (name) DO UPDATE SET
                (version, cooldown_until, ramp_up_from, ramp_up_until,
                 last_failure_at, last_failure_kind, last_failure_text, last_failure_instance, updated_at) =
                (SELECT GREATEST(b.version + 1, %1$s), CASE WHEN ends > now THEN ends END,
                        CASE WHEN b.state = 'OPEN' THEN b.ramp_up_from WHEN %3$s THEN GREATEST(now, ends) END,
                        CASE WHEN b.state = 'OPEN' THEN b.ramp_up_until
                             WHEN %3$s THEN GREATEST(now, ends) + (b.ramp_up_until - b.ramp_up_from) END,
                        now, CAST(?2 AS text), CAST(?3 AS text), CAST(?4 AS text), now
                   FROM (SELECT now, GREATEST(b.cooldown_until, %2$s) AS ends
                           FROM (SELECT clock_timestamp() AS now) AS clock OFFSET 0) AS pause)
              RETURNING b.*)
            """.formatted(
                            VERSION_AT,
                            "LEAST(CASE WHEN CAST(?6 AS integer) = 1"
                                    + " THEN TIMESTAMPTZ 'epoch' + CAST(?7 AS bigint) * INTERVAL '1 microsecond'"
                                    + " ELSE now + CAST(?5 AS bigint) * INTERVAL '1 microsecond' END,"
                                    + " now + CAST(?8 AS bigint) * INTERVAL '1 microsecond')",
                            ramping("b", "now"))
            + CHANGED_ROW;

    /**
     * 1 number of a transaction. PostgreSQL has forgotten old ones. A number that is not below the one that it gives out now was
     * lost with a crash, or with a server that failed over, before anything of the transaction had got to the disk: so it
     * was not committed. Once others have begun, such a number has gone to one of them, and is answered for that one.
     */
    static final String FATE = """
            SELECT CASE WHEN x.id >= x.own THEN 'aborted' ELSE COALESCE(pg_xact_status(x.id), 'unknown') END
              FROM (SELECT CAST(CAST(CAST(?1 AS bigint) AS text) AS xid8) AS id, pg_current_xact_id() AS own OFFSET 0) AS x
            """;

    /**
     * The version of the tables that are there, 0 if one is missing. Asked first, because CREATE ... IF NOT EXISTS needs the
     * right to create even so, and ALTER TABLE ... IF NOT EXISTS a lock that keeps everybody away.
     */
    static final String SCHEMA_VERSION = """
            SELECT CASE WHEN to_regclass('distributed_breaker') IS NULL
                          OR to_regclass('distributed_breaker_transition') IS NULL THEN 0
                        WHEN to_regclass('distributed_queue_command') IS NOT NULL THEN 6
                        WHEN to_regclass('distributed_fallback_permit') IS NOT NULL THEN 5
                        WHEN EXISTS (SELECT FROM pg_attribute
                                      WHERE attrelid = to_regclass('distributed_breaker_transition')
                                        AND attname = 'ramp_up_percent' AND NOT attisdropped) THEN 4
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

    /**
     * Whether the share of calls that a closed row lets through still grows. What an instance that knows of no such share
     * left behind when it opened and closed the row began before the closing, and is over.
     */
    static String ramping(String row, String now) {
        return ("COALESCE(%1$s.state = 'CLOSED' AND %1$s.ramp_up_until > %2$s"
                        + " AND COALESCE(%1$s.ramp_up_from >= %1$s.closed_at, TRUE), FALSE)")
                .formatted(row, now);
    }

    private static String since1970(String column) {
        return "CAST(extract(epoch FROM r." + column + ") * 1000000 AS bigint) AS " + column;
    }

    private static String left(String column) {
        return "CAST(extract(epoch FROM GREATEST(r." + column + ", r.now) - r.now) * 1000000 AS bigint)";
    }
}
