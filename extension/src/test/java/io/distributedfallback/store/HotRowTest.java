package io.distributedfallback.store;

import io.distributedfallback.FailureKind;
import io.distributedfallback.RetryAfter;
import io.distributedfallback.core.Evidence;
import io.distributedfallback.core.Failures;
import io.distributedfallback.core.Policy;
import io.distributedfallback.core.ProbeVerdict;
import java.sql.SQLException;
import java.time.Duration;
import java.util.Optional;
import java.util.OptionalDouble;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import static org.assertj.core.api.Assertions.assertThat;

/** What busy rows and many rows cost PostgreSQL, as it sees it itself. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class HotRowTest {

    private static final Evidence FAILURE = Evidence.of(Failures.one(FailureKind.OUTAGE, "HTTP 500"));
    private static final Policy NEVER_OPENS =
            Policy.DEFAULT.toBuilder().failureThreshold(1_000_000).build();
    private static final Policy COUNTS_ALL = NEVER_OPENS.toBuilder()
            .failureRatio(OptionalDouble.of(1))
            .window(Duration.ofHours(1))
            .minimumCalls(1_000_000)
            .build();

    private final TestPostgres postgres = TestPostgres.newDatabase();
    private TestPool pool;
    private JpaBreakerStore store;

    @BeforeEach
    void open() {
        postgres.empty();
        pool = new TestPool(postgres.dataSource(), "");
        store = Provider.HIBERNATE.store(pool);
        store.readAll();
    }

    @AfterEach
    void close() throws SQLException {
        store.close();
        pool.close();
    }

    @Test
    void failures_that_are_counted_are_hot_updates() throws SQLException {
        for (int i = 0; i < 1_000; i++) {
            store.record("rawg", FAILURE, NEVER_OPENS);
        }
        store.coolDown(
                "rawg",
                Optional.of(new RetryAfter.In(Duration.ZERO)),
                FAILURE.failures().orElseThrow(),
                NEVER_OPENS);

        assertHot();
    }

    @Test
    void calls_that_are_counted_in_a_window_are_hot_updates() throws SQLException {
        for (int i = 0; i < 500; i++) {
            store.record("rawg", FAILURE, COUNTS_ALL);
            store.record("rawg", Evidence.SUCCESS, COUNTS_ALL);
        }

        assertHot();
    }

    @Test
    void failures_with_long_texts_are_hot_updates_though_the_last_five_are_kept() throws SQLException {
        for (int i = 0; i < 1_000; i++) {
            String text = (i + " connection to the provider's server was reset by peer, ")
                    .repeat(6)
                    .substring(0, 300);
            store.record("rawg", Evidence.of(Failures.one(FailureKind.OUTAGE, text)), NEVER_OPENS);
        }
        assertThat(postgres.query("SELECT jsonb_array_length(recent_failures),"
                        + " length(recent_failures -> 0 ->> 'text') FROM distributed_breaker"))
                .containsExactly("5 200");

        assertHot();
    }

    private void assertHot() throws SQLException {
        // A session tells its counts when it has been idle for a while, or ends.
        pool.close();
        postgres.await("SELECT n_tup_upd >= 999 FROM pg_stat_user_tables WHERE relname = 'distributed_breaker'");
        assertThat(postgres.query("SELECT n_tup_hot_upd > 0.95 * n_tup_upd FROM pg_stat_user_tables"
                        + " WHERE relname = 'distributed_breaker'"))
                .containsExactly("t");
    }

    @ParameterizedTest
    @CsvSource({"'', force_custom_plan", "'', force_generic_plan", "breaker-1, force_custom_plan"})
    void of_ten_thousand_rows_the_twenty_that_matter_are_found_by_their_index(String prefix, String planning) {
        fill(20);
        postgres.execute("ANALYZE distributed_breaker");

        postgres.execute("SET plan_cache_mode = " + planning + "; PREPARE reading (text) AS "
                + PostgresSql.READ_ALL.replace("?1", "$1"));
        try {
            assertThat(String.join("\n", postgres.query("EXPLAIN EXECUTE reading ('" + prefix + "')")))
                    .contains("distributed_breaker_active")
                    .doesNotContain("Seq Scan");
        } finally {
            postgres.execute("DEALLOCATE reading; RESET plan_cache_mode");
        }
        assertThat(store.readAll()).hasSize(20);
    }

    @Test
    void rows_that_no_longer_matter_leave_the_index_when_they_are_written_or_tidied_up() {
        Policy brief = COUNTS_ALL.toBuilder().window(Duration.ofMillis(1)).build();
        store.record("windowed", FAILURE, brief);
        store.record("windowed", Evidence.SUCCESS, brief);
        store.record("counted", FAILURE, NEVER_OPENS);
        store.record("counted", Evidence.SUCCESS, NEVER_OPENS);
        cool("paused", Duration.ofMillis(1));
        cool("still-paused", Duration.ofHours(1));
        cool("never-paused", Duration.ZERO);
        rampUp("ramped-up", Duration.ofMillis(1));
        rampUp("ramping-up", Duration.ofHours(1));
        postgres.await("SELECT count(*) = 0 FROM distributed_breaker WHERE window_until > clock_timestamp()"
                + " OR cooldown_until > clock_timestamp() AND name <> 'still-paused'"
                + " OR ramp_up_until > clock_timestamp() AND name <> 'ramping-up'");
        var before = postgres.query("SELECT name, version, updated_at FROM distributed_breaker ORDER BY name");

        assertThat(store.retire(Duration.ofHours(1))).isZero();

        assertThat(postgres.query("SELECT name FROM distributed_breaker WHERE active"))
                .containsExactlyInAnyOrder("still-paused", "ramping-up");
        assertThat(postgres.query("SELECT name, version, updated_at FROM distributed_breaker ORDER BY name"))
                .as("nobody has to read them again")
                .isEqualTo(before);
    }

    @Test
    void retires_a_thousand_rows_at_a_time_and_waits_for_nobody() throws SQLException {
        fill(20);
        try (var operator = postgres.dataSource().getConnection();
                var statement = operator.createStatement()) {
            operator.setAutoCommit(false);
            statement.execute("SELECT FROM distributed_breaker WHERE name = 'breaker-500' FOR UPDATE");

            for (int i = 1; i <= 9; i++) {
                assertThat(store.retire(Duration.ofDays(1))).isEqualTo(1_000);
            }
            assertThat(store.retire(Duration.ofDays(1))).isEqualTo(979);
            assertThat(store.retire(Duration.ofDays(1))).isZero();
            operator.rollback();
        }
        assertThat(store.retire(Duration.ofDays(1))).isEqualTo(1);
        assertThat(postgres.query("SELECT count(*) FROM distributed_breaker")).containsExactly("20");
        assertThat(store.readAll()).hasSize(20);
    }

    /** When all instances see an outage begin, those that come after the opening do not queue up for the row. */
    @Test
    void a_failure_that_finds_the_row_open_does_not_wait_for_it() throws SQLException {
        store.record(
                "rawg", FAILURE, Policy.DEFAULT.toBuilder().failureThreshold(1).build());
        try (var holder = postgres.dataSource().getConnection();
                var statement = holder.createStatement()) {
            holder.setAutoCommit(false);
            statement.execute("SELECT FROM distributed_breaker WHERE name = 'rawg' FOR UPDATE");

            assertThat(store.record("rawg", FAILURE, Policy.DEFAULT)
                            .orElseThrow()
                            .row()
                            .isOpen())
                    .isTrue();
            holder.rollback();
        }
    }

    private void rampUp(String breaker, Duration length) {
        Policy ramped = Policy.DEFAULT.toBuilder()
                .failureThreshold(1)
                .probeSuccesses(1)
                .rampUp(length)
                .build();
        store.record(breaker, FAILURE, ramped);
        postgres.execute("UPDATE distributed_breaker SET next_probe_at = clock_timestamp() WHERE state = 'OPEN'");
        long token = store.acquireProbe(breaker, ramped)
                .orElseThrow()
                .row()
                .recovery()
                .token();
        store.reportProbe(breaker, token, ProbeVerdict.PASS, ramped);
    }

    /** A row whose share grows is as hot as any: late failures are counted in it. */
    @Test
    void failures_that_are_counted_while_the_share_grows_are_hot_updates() throws SQLException {
        rampUp("rawg", Duration.ofHours(1));
        for (int i = 0; i < 1_000; i++) {
            store.record("rawg", FAILURE, NEVER_OPENS);
        }

        assertHot();
    }

    private void cool(String breaker, Duration pause) {
        store.coolDown(
                breaker,
                Optional.of(new RetryAfter.In(pause)),
                Failures.one(FailureKind.THROTTLED, "HTTP 429"),
                NEVER_OPENS);
    }

    /** Ten thousand rows that nobody has changed for two days. */
    private void fill(int open) {
        postgres.execute("INSERT INTO distributed_breaker (name, version, state, opened_at, next_probe_at,"
                + " last_failure_at, last_failure_kind, last_failure_text, last_failure_instance, updated_at)"
                + " SELECT 'breaker-' || i, i, CASE WHEN i <= " + open + " THEN 'OPEN' ELSE 'CLOSED' END,"
                + " now(), now(), now(), 'OUTAGE', 'HTTP 503 Service Unavailable', 'pod-7',"
                + " now() - INTERVAL '2 days' FROM generate_series(1, 10000) AS i");
    }

    @Test
    void ten_thousand_rows_that_matter_can_be_read() {
        fill(10_000);
        assertThat(store.readAll()).hasSize(10_000);
    }
}
