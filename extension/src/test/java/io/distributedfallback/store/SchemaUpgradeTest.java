package io.distributedfallback.store;

import io.distributedfallback.FailureKind;
import io.distributedfallback.OperatorCommand;
import io.distributedfallback.OperatorCommand.Action;
import io.distributedfallback.TransitionCause;
import io.distributedfallback.core.BreakerRow;
import io.distributedfallback.core.Evidence;
import io.distributedfallback.core.Failures;
import io.distributedfallback.core.HistoryEntry;
import io.distributedfallback.core.HistoryQuery;
import io.distributedfallback.core.Policy;
import io.distributedfallback.core.ProbeVerdict;
import io.distributedfallback.core.SchemaMode;
import java.sql.Connection;
import java.sql.Statement;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.OptionalLong;
import java.util.Set;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

import static org.assertj.core.api.Assertions.assertThat;

/** From the tables of one version to those of the next, with breakers open and instances of both versions at work. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class SchemaUpgradeTest {

    private static final Evidence FAILURE = Evidence.of(Failures.one(FailureKind.OUTAGE, "HTTP 500"));

    private final TestPostgres postgres = TestPostgres.newDatabase();
    private JpaBreakerStore store;

    @BeforeEach
    void empty() {
        postgres.empty();
    }

    @AfterEach
    void close() {
        if (store != null) {
            store.close();
        }
    }

    private void open(Provider provider) {
        store = provider.store(postgres.dataSource());
        store.readAll();
    }

    @ParameterizedTest
    @EnumSource(Provider.class)
    void a_breaker_that_is_open_stays_open_with_the_same_times(Provider provider) {
        new Definitions(postgres).run(1);
        FirstVersion old = new FirstVersion("old");
        old.fail("rawg", 3);
        old.fail("jikan", 2);
        List<String> before = postgres.query("SELECT * FROM distributed_breaker ORDER BY name");

        open(provider);
        List<BreakerRow> rows = store.readAll();

        assertThat(rows).hasSize(2);
        assertThat(rows.stream().filter(BreakerRow::isOpen)).singleElement().satisfies(row -> {
            assertThat(row.name()).isEqualTo("rawg");
            assertThat(row.recovery().untilNextProbe().orElseThrow())
                    .isPositive()
                    .isLessThan(Duration.ofSeconds(15));
        });
        List<String> after = postgres.query("SELECT * FROM distributed_breaker ORDER BY name");
        assertThat(IntStream.range(0, 2).mapToObj(i -> after.get(i).startsWith(before.get(i))))
                .as("all columns as they were")
                .containsOnly(true);
        assertThat(store.record("jikan", FAILURE, Policy.DEFAULT).orElseThrow().transition())
                .isPresent();
    }

    @ParameterizedTest
    @EnumSource(Provider.class)
    void from_version_2_the_state_what_is_forced_and_the_history_are_kept(Provider provider) {
        new Definitions(postgres).run(1);
        new Definitions(postgres).run(2);
        FirstVersion old = new FirstVersion("old");
        old.fail("rawg", 3);
        postgres.execute("UPDATE distributed_breaker SET override_mode = 'FORCED_CLOSED', override_by = 'ann',"
                + " override_reason = 'by hand', override_until = now() + INTERVAL '1 hour'");
        List<String> before = postgres.query("SELECT * FROM distributed_breaker_transition");

        open(provider);

        assertThat(store.readAll()).singleElement().satisfies(row -> {
            assertThat(row.isOpen()).isTrue();
            assertThat(row.holds().override().orElseThrow().by()).isEqualTo("ann");
        });
        assertThat(postgres.query("SELECT * FROM distributed_breaker_transition")
                        .get(0))
                .startsWith(before.get(0));
        assertThat(history().get(0).evidence())
                .isEqualTo(new HistoryEntry.Evidence(3, 0, 0, 0, Set.of(), List.of(), ""));
    }

    @ParameterizedTest
    @EnumSource(Provider.class)
    void from_version_4_permits_are_added_and_all_else_is_kept(Provider provider) {
        for (int version = 1; version <= 4; version++) {
            new Definitions(postgres).run(version);
        }
        new FirstVersion("old").fail("rawg", 3);
        List<String> before = postgres.query("SELECT * FROM distributed_breaker");

        open(provider);

        assertThat(postgres.query("SELECT * FROM distributed_breaker")).isEqualTo(before);
        assertThat(postgres.query("SELECT count(*) FROM distributed_fallback_permit"))
                .containsExactly("0");
    }

    @ParameterizedTest
    @EnumSource(Provider.class)
    void from_version_3_what_is_active_stays_so_and_a_growing_share_makes_active_too(Provider provider) {
        for (int version = 1; version <= 3; version++) {
            new Definitions(postgres).run(version);
        }
        FirstVersion old = new FirstVersion("old");
        old.fail("rawg", 3);
        old.fail("jikan", 1);
        old.succeed("jikan");
        List<String> before = postgres.query("SELECT name, version, state, opened_at, next_probe_at, active,"
                + " recent_failures FROM distributed_breaker ORDER BY name");

        open(provider);

        assertThat(postgres.query("SELECT name, version, state, opened_at, next_probe_at, active, recent_failures"
                        + " FROM distributed_breaker ORDER BY name"))
                .isEqualTo(before);
        assertThat(history()).extracting(HistoryEntry::cause).containsExactly(TransitionCause.FAILURES);
        assertThat(store.readAll()).hasSize(1);
        closeWithRampUp();
        assertThat(postgres.query("SELECT name FROM distributed_breaker WHERE active"))
                .containsExactly("rawg");
        assertThat(postgres.query("SELECT count(*) FROM pg_indexes WHERE indexname = 'distributed_breaker_active'"))
                .containsExactly("1");
        assertThat(old.read()).as("it sends all calls to the primary").isEmpty();
    }

    private long closeWithRampUp() {
        Policy ramped = Policy.DEFAULT.toBuilder()
                .probeSuccesses(1)
                .rampUp(Duration.ofHours(1))
                .build();
        postgres.execute("UPDATE distributed_breaker SET next_probe_at = clock_timestamp() WHERE state = 'OPEN'");
        long token = store.acquireProbe("rawg", ramped)
                .orElseThrow()
                .row()
                .recovery()
                .token();
        assertThat(store.reportProbe("rawg", token, ProbeVerdict.PASS, ramped)
                        .orElseThrow()
                        .row()
                        .recovery()
                        .rampUp())
                .isPresent();
        return token;
    }

    @Test
    void the_growing_share_of_before_an_outage_that_an_older_version_opened_and_closed_is_over() {
        open(Provider.HIBERNATE);
        FirstVersion old = new FirstVersion("old");
        old.fail("rawg", 3);
        long token = closeWithRampUp();
        old.fail("rawg", 3);
        assertThat(store.readAll().get(0).recovery().rampUp()).isEmpty();
        old.close("rawg");

        assertThat(store.readAll()).isEmpty();
        Failures late = new Failures(1, FailureKind.OUTAGE, "HTTP 500", token);
        assertThat(store.record("rawg", Evidence.of(late), Policy.DEFAULT)
                        .orElseThrow()
                        .transition())
                .isEmpty();
    }

    @Test
    void entries_of_an_older_version_and_of_the_newer_one_make_one_history() {
        open(Provider.HIBERNATE);
        FirstVersion old = new FirstVersion("old");
        old.fail("rawg", 3);
        store.command("rawg", new OperatorCommand(Action.RESET, "ann", "mended", Optional.empty()));
        old.fail("rawg", 2);
        store.record("rawg", FAILURE, Policy.DEFAULT);

        assertThat(old.read()).containsExactly("rawg OPEN 3");
        assertThat(history())
                .extracting(HistoryEntry::cause)
                .containsExactly(TransitionCause.FAILURES, TransitionCause.OPERATOR, TransitionCause.FAILURES);
        assertThat(history().get(0).evidence().lastFailures()).hasSize(1);
        assertThat(history().get(0).evidence().consecutiveFailures()).isEqualTo(3);
    }

    private List<HistoryEntry> history() {
        return store.history(new HistoryQuery(Optional.of("rawg"), OptionalLong.empty(), 10));
    }

    @Test
    void ten_instances_that_start_at_once_upgrade_it_once() throws Exception {
        for (int round = 0; round < 3; round++) {
            postgres.empty();
            new Definitions(postgres).run(1);
            new FirstVersion("old").fail("rawg", 1);
            List<JpaBreakerStore> stores = IntStream.range(0, 10)
                    .mapToObj(
                            i -> (i % 2 == 0 ? Provider.HIBERNATE : Provider.ECLIPSELINK).store(postgres.dataSource()))
                    .toList();
            try (Together together = new Together(10)) {
                together.run(i -> () -> stores.get(i)
                        .record(
                                "rawg",
                                FAILURE,
                                Policy.DEFAULT.toBuilder().failureThreshold(100).build())
                        .orElseThrow());
            }
            assertThat(stores.get(0).readAll().get(0).standing().consecutiveFailures())
                    .isEqualTo(11);
            stores.forEach(JpaBreakerStore::close);
        }
    }

    @Test
    void where_all_is_there_creating_is_a_look_that_waits_for_nobody() throws Exception {
        open(Provider.HIBERNATE);
        store.record("rawg", FAILURE, Policy.DEFAULT);
        try (Connection busy = postgres.dataSource().getConnection();
                Statement statement = busy.createStatement()) {
            busy.setAutoCommit(false);
            statement.execute(
                    "SELECT pg_advisory_xact_lock(4918247360155231745); UPDATE distributed_breaker SET version = version");

            try (JpaBreakerStore another = Provider.ECLIPSELINK.store(postgres.dataSource())) {
                assertThat(another.readAll()).hasSize(1);
            }
            busy.rollback();
        }
    }

    @Test
    void the_definitions_can_be_run_by_psql_and_again() {
        Definitions definitions = new Definitions(postgres);
        definitions.runAll();
        new FirstVersion("old").fail("rawg", 1);
        definitions.runAll();

        store = Provider.ECLIPSELINK.store(postgres.dataSource(), SchemaMode.VALIDATE, "", "two");
        assertThat(store.readAll()).hasSize(1);
    }

    @Test
    void instances_of_both_versions_count_together_open_once_and_see_each_others_changes() {
        open(Provider.HIBERNATE);
        FirstVersion old = new FirstVersion("old");
        store.record("rawg", FAILURE, Policy.DEFAULT);
        old.fail("rawg", 1);
        assertThat(store.readAll())
                .singleElement()
                .satisfies(
                        row -> assertThat(row.standing().consecutiveFailures()).isEqualTo(2));
        assertThat(old.read()).containsExactly("rawg CLOSED 2");

        assertThat(store.record("rawg", FAILURE, Policy.DEFAULT).orElseThrow().transition())
                .isPresent();
        old.fail("rawg", 1);

        assertThat(old.read()).containsExactly("rawg OPEN 3");
        assertThat(postgres.query("SELECT cause FROM distributed_breaker_transition"))
                .containsExactly("FAILURES");
    }

    @Test
    void what_an_older_version_resets_or_opens_is_so_for_the_newer_one() {
        open(Provider.HIBERNATE);
        FirstVersion old = new FirstVersion("old");
        Policy ofTwo = Policy.DEFAULT.toBuilder().failureThreshold(2).quorum(2).build();
        store.record("rawg", FAILURE, ofTwo);
        old.succeed("rawg");
        assertThat(store.readAll()).isEmpty();

        BreakerRow counted = store.record("rawg", FAILURE, ofTwo).orElseThrow().row();
        assertThat(counted.standing().consecutiveFailures()).isEqualTo(1);
        assertThat(counted.standing().failingInstances()).containsExactly("one");

        old.fail("rawg", 2);
        BreakerRow open = store.readAll().get(0);
        assertThat(open.isOpen()).isTrue();
        assertThat(open.window().left()).isZero();
    }

    @Test
    void a_window_of_before_an_outage_does_not_open_after_it_though_an_older_version_opened_and_closed() {
        open(Provider.HIBERNATE);
        FirstVersion old = new FirstVersion("old");
        Policy ratio = Policy.DEFAULT.toBuilder()
                .failureThreshold(100)
                .failureRatio(OptionalDouble.of(0.5))
                .window(Duration.ofHours(1))
                .minimumCalls(6)
                .build();
        store.record("rawg", Evidence.of(new Failures(5, FailureKind.OUTAGE, "HTTP 500")), ratio);
        old.fail("rawg", 3);
        old.close("rawg");

        assertThat(store.record("rawg", FAILURE, ratio).orElseThrow()).satisfies(change -> {
            assertThat(change.transition()).isEmpty();
            assertThat(change.row().window().calls()).isEqualTo(1);
        });
    }

    @Test
    void a_breaker_that_an_older_version_opened_is_closed_by_the_newer_one() {
        open(Provider.HIBERNATE);
        FirstVersion old = new FirstVersion("old");
        old.fail("rawg", 3);
        postgres.execute("UPDATE distributed_breaker SET next_probe_at = clock_timestamp()");
        Policy onePass = Policy.DEFAULT.toBuilder().probeSuccesses(1).build();

        long token = store.acquireProbe("rawg", onePass)
                .orElseThrow()
                .row()
                .recovery()
                .token();
        assertThat(store.reportProbe("rawg", token, ProbeVerdict.PASS, onePass)
                        .orElseThrow()
                        .transition())
                .isPresent();
        assertThat(old.read()).isEmpty();
    }

    /** What an instance of the version that knows the first file only writes and reads. */
    private final class FirstVersion {

        private final String instance;

        FirstVersion(String instance) {
            this.instance = instance;
        }

        void fail(String breaker, int failures) {
            postgres.execute("""
                    WITH changed AS (
                      INSERT INTO distributed_breaker AS b
                        (name, version, state, consecutive_failures, failure_threshold, opened_at, next_probe_at,
                         transition_version, last_failure_at, last_failure_kind, last_failure_text,
                         last_failure_instance, updated_at)
                      SELECT '%1$s', m.version, CASE WHEN m.opens THEN 'OPEN' ELSE 'CLOSED' END, %2$d, 3,
                             CASE WHEN m.opens THEN m.now END,
                             CASE WHEN m.opens THEN m.now + INTERVAL '15 seconds' END,
                             CASE WHEN m.opens THEN m.version END, m.now, 'OUTAGE', 'HTTP 500', '%3$s', m.now
                        FROM (SELECT now, CAST(extract(epoch FROM now) * 1000000 AS bigint) AS version, %2$d >= 3 AS opens
                                FROM (SELECT clock_timestamp() AS now) AS clock) AS m
                      ON CONFLICT (name) DO UPDATE SET
                        (version, state, consecutive_failures, failure_threshold, opened_at, next_probe_at,
                         consecutive_probe_successes, probe_lease_until, transition_version, last_failure_at,
                         last_failure_kind, last_failure_text, last_failure_instance, updated_at) =
                        (SELECT m.version, CASE WHEN m.opens THEN 'OPEN' ELSE b.state END, m.failures,
                                CASE WHEN b.state = 'CLOSED' THEN 3 ELSE b.failure_threshold END,
                                CASE WHEN m.opens THEN m.now ELSE b.opened_at END,
                                CASE WHEN m.opens THEN m.now + INTERVAL '15 seconds' ELSE b.next_probe_at END,
                                CASE WHEN m.opens THEN 0 ELSE b.consecutive_probe_successes END,
                                CASE WHEN m.opens THEN NULL ELSE b.probe_lease_until END,
                                CASE WHEN m.opens THEN m.version ELSE b.transition_version END,
                                m.now, 'OUTAGE', 'HTTP 500', '%3$s', m.now
                           FROM (SELECT now, GREATEST(b.version + 1,
                                                      CAST(extract(epoch FROM now) * 1000000 AS bigint)) AS version,
                                        b.consecutive_failures
                                          + CASE WHEN b.state = 'CLOSED' THEN %2$d ELSE 0 END AS failures,
                                        b.state = 'CLOSED' AND b.consecutive_failures + %2$d >= 3 AS opens
                                   FROM (SELECT clock_timestamp() AS now) AS clock) AS m)
                      RETURNING b.*)
                    INSERT INTO distributed_breaker_transition
                      (breaker, version, from_state, to_state, cause, instance, made_at, evidence_count)
                    SELECT c.name, c.version, 'CLOSED', 'OPEN', 'FAILURES', '%3$s', c.updated_at, c.consecutive_failures
                      FROM changed AS c WHERE c.transition_version = c.version
                    """.formatted(breaker, failures, instance));
        }

        void succeed(String breaker) {
            postgres.execute("UPDATE distributed_breaker SET version = version + 1, consecutive_failures = 0,"
                    + " failure_threshold = NULL, updated_at = clock_timestamp() WHERE name = '" + breaker + "'");
        }

        void close(String breaker) {
            postgres.execute("UPDATE distributed_breaker SET version = version + 1, state = 'CLOSED',"
                    + " consecutive_failures = 0, failure_threshold = NULL, consecutive_probe_successes = 0,"
                    + " closed_at = clock_timestamp(), next_probe_at = NULL, probe_lease_until = NULL,"
                    + " updated_at = clock_timestamp() WHERE name = '" + breaker + "'");
        }

        List<String> read() {
            return postgres.query("SELECT name, state, consecutive_failures FROM distributed_breaker"
                    + " WHERE state = 'OPEN' OR consecutive_failures > 0 OR cooldown_until > clock_timestamp()");
        }
    }
}
