package io.distributedfallback.store;

import io.distributedfallback.core.BreakerStore;

/**
 * The two statements that take in evidence, by the rules of {@link PostgresSql}. What they work out is said in
 * {@link BreakerStore#record}, and again in Java by the store in memory, against which
 * they are tested.
 */
final class EvidenceSql {

    private static final String NOBODY = "CAST(ARRAY[] AS text[])";

    private static final String NOTHING = "CAST('[]' AS jsonb)";

    private static final String NO_ROW = """
            SELECT CAST(0 AS bigint) AS version, TRUE AS closed, FALSE AS under_way, 0 AS consecutive_failures,
                   CAST(NULL AS integer) AS failure_threshold, %s AS instances, %s AS recent,
                   0 AS window_calls, 0 AS window_failures, CAST(NULL AS timestamptz) AS window_started_at,
                   CAST(NULL AS timestamptz) AS window_until, CAST(NULL AS timestamptz) AS opened_at,
                   CAST(NULL AS timestamptz) AS next_probe_at, 0 AS consecutive_probe_successes,
                   CAST(NULL AS timestamptz) AS probe_lease_until, CAST(NULL AS bigint) AS transition_version,
                   CAST(NULL AS timestamptz) AS cooldown_until, FALSE AS ramping, CAST(0 AS bigint) AS probe_token,
                   CAST(NULL AS timestamptz) AS ramp_up_from, CAST(NULL AS timestamptz) AS ramp_up_until
            """.formatted(NOBODY, NOTHING);

    private static final String HELD_ROW =
            """
            SELECT b.version, b.state = 'CLOSED' AS closed, %1$s AS under_way, b.consecutive_failures,
                   b.failure_threshold,
                   CASE WHEN b.state = 'OPEN' OR b.consecutive_failures > 0 OR %1$s THEN b.failing_instances
                        ELSE %2$s END AS instances,
                   CASE WHEN b.state = 'OPEN' OR b.consecutive_failures > 0 OR %1$s THEN b.recent_failures
                        ELSE %3$s END AS recent,
                   b.window_calls, b.window_failures, b.window_started_at, b.window_until, b.opened_at,
                   b.next_probe_at, b.consecutive_probe_successes, b.probe_lease_until, b.transition_version,
                   b.cooldown_until, %4$s AS ramping, b.probe_token, b.ramp_up_from, b.ramp_up_until
            """.formatted(PostgresSql.underWay("b", "now"), NOBODY, NOTHING, PostgresSql.ramping("b", "now"));

    /**
     * What the row becomes, in the order of {@link #COLUMNS}, from {@code given}, what it {@code was}, and now. Each step is
     * a sub-select that {@code OFFSET 0} keeps apart: merged into one, the expressions grow by repetition until planning and
     * starting the statement takes longer than running it.
     */
    private static final String JUDGED = """
            SELECT t.version,
                   CASE WHEN was.closed AND NOT o.opens THEN 'CLOSED' ELSE 'OPEN' END,
                   CASE WHEN was.closed THEN o.failures ELSE was.consecutive_failures END,
                   CASE WHEN NOT was.closed THEN was.failure_threshold WHEN o.failures > 0 THEN g.threshold END,
                   CASE WHEN NOT was.closed THEN was.instances
                        WHEN j.first_run OR t.counts OR g.calls = g.failures THEN t.joined
                        WHEN j.later_run OR g.last_run > 0 THEN ARRAY[g.instance] ELSE %2$s END,
                   CASE WHEN NOT was.closed THEN was.recent
                        WHEN j.first_run OR t.counts OR g.calls = g.failures THEN e.latest || (was.recent - %9$d)
                        WHEN j.later_run OR g.last_run > 0 THEN e.latest ELSE %8$s END,
                   CASE WHEN NOT was.closed THEN was.window_calls WHEN t.counts THEN t.calls ELSE 0 END,
                   CASE WHEN NOT was.closed THEN was.window_failures WHEN t.counts THEN t.failures ELSE 0 END,
                   CASE WHEN NOT was.closed OR was.under_way THEN was.window_started_at WHEN t.counts THEN now END,
                   CASE WHEN o.opens OR NOT was.closed THEN NULL WHEN was.under_way THEN was.window_until
                        WHEN t.counts THEN now + g.window_length END,
                   CASE WHEN o.opens THEN now ELSE was.opened_at END,
                   CASE WHEN o.opens THEN now + g.probe_interval ELSE was.next_probe_at END,
                   CASE WHEN o.opens THEN 0 ELSE was.consecutive_probe_successes END,
                   CASE WHEN NOT o.opens THEN was.probe_lease_until END,
                   CASE WHEN o.opens THEN t.version ELSE was.transition_version END,
                   CASE WHEN was.cooldown_until > now THEN was.cooldown_until END,
                   CASE WHEN NOT was.closed OR t.in_ramp OR was.ramping AND NOT o.opens THEN was.ramp_up_from END,
                   CASE WHEN NOT was.closed OR t.in_ramp OR was.ramping AND NOT o.opens THEN was.ramp_up_until END,
                   now, g.kind, g.failure, g.instance, now
              FROM given AS g
             CROSS JOIN (SELECT clock_timestamp() AS now) AS clock
             CROSS JOIN LATERAL (%3$s OFFSET 0) AS was
             CROSS JOIN LATERAL (
               SELECT jsonb_build_array(jsonb_build_object(
                        'at', now, 'kind', g.kind, 'text', left(g.failure, %10$d), 'instance', g.instance)) AS latest
               OFFSET 0) AS e
             CROSS JOIN LATERAL (
               SELECT GREATEST(was.version + 1, %1$s) AS version, was.closed AND (g.ratio > 0 OR was.under_way) AS counts,
                      %4$s AS calls, %5$s AS failures, %6$s AS run,
                      was.ramping AND g.ramp > 0 AND g.ramp = was.probe_token AND g.ratio = 0 AS in_ramp,
                      CASE WHEN g.instance = ANY (was.instances)
                                OR cardinality(was.instances) >= GREATEST(g.quorum, %7$d) THEN was.instances
                           ELSE array_append(was.instances, g.instance) END AS joined
               OFFSET 0) AS t
             CROSS JOIN LATERAL (
               SELECT g.first_run > 0 AND (t.run >= g.threshold OR t.in_ramp)
                        AND cardinality(t.joined) >= g.quorum AS first_run,
                      (g.longest_run >= g.threshold OR t.in_ramp)
                        AND CASE WHEN t.counts THEN cardinality(t.joined) ELSE 1 END >= g.quorum AS later_run,
                      g.ratio > 0 AND t.calls >= g.minimum_calls AND cardinality(t.joined) >= g.quorum
                        AND CAST(t.failures AS double precision) / NULLIF(t.calls, 0) >= g.ratio AS ratio
               OFFSET 0) AS j
             CROSS JOIN LATERAL (
               SELECT was.closed AND (j.first_run OR j.later_run OR j.ratio) AS opens,
                      CASE WHEN j.first_run OR j.later_run
                           THEN GREATEST(CASE WHEN g.first_run > 0 THEN t.run END, g.longest_run)
                           WHEN g.calls > g.failures THEN g.last_run ELSE t.run END AS failures
               OFFSET 0) AS o
            """;

    private static final String COLUMNS = """
            version, state, consecutive_failures, failure_threshold, failing_instances, recent_failures,
                 window_calls, window_failures, window_started_at, window_until,
                 opened_at, next_probe_at, consecutive_probe_successes, probe_lease_until, transition_version,
                 cooldown_until, ramp_up_from, ramp_up_until,
                 last_failure_at, last_failure_kind, last_failure_text, last_failure_instance, updated_at""";

    /**
     * 1 name, 2 calls, 3 failures, 4 first run, 5 longest run, 6 last run, 7 kind, 8 text, 9 instance; of the policy:
     * 10 threshold, 11 ratio, 0 if off, 12 window, 13 minimum of calls, 14 quorum, 15 probe interval, 16 all of it; 17 the
     * recovery whose growing share a failed call belonged to, 0 if none did; 18 how long ago the last
     * call that failed began, 0 if that is not known.
     *
     * <p>An upsert, because two instances may see the first failure at the same moment and both must count: the second one
     * waits for the first and then adds to what it finds. That only a closed row can open makes the opening happen once,
     * whatever comes together. One that is open when the statement begins is answered with and not even locked: the hour of
     * its opening is when all instances come with their failures. So is one that has closed since the calls
     * began: its probes know better. A closing that is yet to come was before the clock was set back, and says nothing.
     *
     * <p>Opened by the threshold, a row has at least as many failures in a row as that, opened by the ratio it has fewer:
     * that is how the cause is told. Opened by a failure of a growing share, it keeps the times of that, which every other
     * opening forgets.
     */
    static final String RECORD = """
            WITH given AS MATERIALIZED (
              SELECT CAST(?1 AS text) AS name, CAST(?2 AS integer) AS calls, CAST(?3 AS integer) AS failures,
                     CAST(?4 AS integer) AS first_run, CAST(?5 AS integer) AS longest_run,
                     CAST(?6 AS integer) AS last_run, CAST(?7 AS text) AS kind, CAST(?8 AS text) AS failure,
                     CAST(?9 AS text) AS instance, CAST(?10 AS integer) AS threshold,
                     CAST(?11 AS double precision) AS ratio,
                     CAST(?12 AS bigint) * INTERVAL '1 microsecond' AS window_length,
                     CAST(?13 AS integer) AS minimum_calls, CAST(?14 AS integer) AS quorum,
                     CAST(?15 AS bigint) * INTERVAL '1 microsecond' AS probe_interval, CAST(?16 AS text) AS policy,
                     CAST(?17 AS bigint) AS ramp),
            beyond AS MATERIALIZED (
              SELECT b.* FROM distributed_breaker AS b
               WHERE b.name = CAST(?1 AS text)
                 AND CASE WHEN b.state = 'OPEN' THEN b.override_mode IS NULL OR b.override_until <= clock_timestamp()
                          ELSE b.closed_at <= clock_timestamp()
                            AND b.closed_at > clock_timestamp() - CAST(?18 AS bigint) * INTERVAL '1 microsecond' END),
            changed AS (
              INSERT INTO distributed_breaker AS b
                (name, %1$s)
              SELECT given.name, judged.* FROM given CROSS JOIN (%2$s) AS judged
               WHERE NOT EXISTS (SELECT FROM beyond)
              ON CONFLICT (name) DO UPDATE SET
                (%1$s) =
                (%3$s)
              RETURNING b.*),
            history AS (
              INSERT INTO distributed_breaker_transition
                (breaker, version, from_state, to_state, cause, instance, made_at, evidence_count,
                 last_failure_kind, last_failure_text, consecutive_failures, window_calls, window_failures,
                 probes_passed, failing_instances, recent_failures, policy, ramp_up_percent)
              SELECT c.name, c.version, 'CLOSED', 'OPEN',
                     CASE WHEN c.consecutive_failures >= g.threshold OR c.ramp_up_until IS NOT NULL
                       THEN 'FAILURES' ELSE 'FAILURE_RATIO' END, g.instance, c.updated_at,
                     CASE WHEN c.consecutive_failures >= g.threshold OR c.ramp_up_until IS NOT NULL
                       THEN c.consecutive_failures ELSE c.window_failures END,
                     c.last_failure_kind, c.last_failure_text, c.consecutive_failures, c.window_calls,
                     c.window_failures, 0, c.failing_instances, c.recent_failures, g.policy,
                     CAST(div(100 * GREATEST(0, extract(epoch FROM c.opened_at - c.ramp_up_from)),
                              NULLIF(extract(epoch FROM c.ramp_up_until - c.ramp_up_from), 0)) AS integer)
                FROM changed AS c CROSS JOIN given AS g WHERE c.transition_version = c.version)
            """.formatted(COLUMNS, judged(NO_ROW), judged(HELD_ROW)) + PostgresSql.ROW
            + "FROM (SELECT c.*, c.updated_at AS now FROM changed AS c"
            + " UNION ALL SELECT b.*, clock_timestamp() FROM beyond AS b) AS r";

    /**
     * 1 name, 2 calls. No upsert: where there is no row there is nothing to change, and healthy traffic must not make one.
     *
     * <p>The window may end during the wait for the lock: so the guards are asked again with the time that was taken then.
     */
    static final String RECORD_SUCCESSES = """
            WITH held AS MATERIALIZED (
              SELECT b.* FROM distributed_breaker AS b
               WHERE b.name = CAST(?1 AS text) AND b.state = 'CLOSED'
                 AND (b.consecutive_failures > 0 OR b.window_until > clock_timestamp())
                 FOR NO KEY UPDATE),
            moment AS MATERIALIZED (SELECT held.*, clock_timestamp() AS now FROM held),
            judged AS (SELECT m.name, m.now, %4$s AS counts FROM moment AS m),
            changed AS (
              UPDATE distributed_breaker AS b
                 SET version = GREATEST(b.version + 1, %1$s), consecutive_failures = 0, failure_threshold = NULL,
                     failing_instances = CASE WHEN counts THEN b.failing_instances ELSE %2$s END,
                     recent_failures = CASE WHEN counts THEN b.recent_failures ELSE %5$s END,
                     window_calls = CASE WHEN counts THEN %3$s ELSE 0 END,
                     window_failures = CASE WHEN counts THEN b.window_failures ELSE 0 END,
                     window_started_at = CASE WHEN counts THEN b.window_started_at END,
                     window_until = CASE WHEN counts THEN b.window_until END,
                     cooldown_until = CASE WHEN b.cooldown_until > now THEN b.cooldown_until END,
                     ramp_up_from = CASE WHEN b.ramp_up_until > now THEN b.ramp_up_from END,
                     ramp_up_until = CASE WHEN b.ramp_up_until > now THEN b.ramp_up_until END,
                     updated_at = now
                FROM judged AS j WHERE b.name = j.name AND (b.consecutive_failures > 0 OR counts)
              RETURNING b.*)
            """.formatted(
                            PostgresSql.VERSION_AT,
                            NOBODY,
                            sum("b.window_calls", "CAST(?2 AS integer)"),
                            PostgresSql.underWay("m", "m.now"),
                            NOTHING)
            + PostgresSql.CHANGED_ROW;

    private EvidenceSql() {}

    private static String judged(String was) {
        return JUDGED.formatted(
                PostgresSql.VERSION_AT,
                NOBODY,
                was,
                sum("CASE WHEN was.under_way THEN was.window_calls ELSE 0 END", "g.calls"),
                sum("CASE WHEN was.under_way THEN was.window_failures ELSE 0 END", "g.failures"),
                sum("was.consecutive_failures", "g.first_run"),
                BreakerStore.INSTANCES_KEPT,
                NOTHING,
                BreakerStore.FAILURES_KEPT - 1,
                BreakerStore.LONGEST_KEPT);
    }

    /** Of two integers, and no greater than an integer can be. */
    private static String sum(String one, String other) {
        return "CAST(LEAST(CAST(" + one + " AS bigint) + " + other + ", " + Integer.MAX_VALUE + ") AS integer)";
    }
}
