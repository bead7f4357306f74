package io.distributedfallback.store;

import io.distributedfallback.FailureKind;
import io.distributedfallback.OverrideMode;
import io.distributedfallback.core.BreakerRow;
import io.distributedfallback.core.Change;
import io.distributedfallback.core.Evidence;
import io.distributedfallback.core.Failures;
import io.distributedfallback.core.Policy;
import io.distributedfallback.core.ProbeVerdict;
import io.distributedfallback.core.SchemaMode;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.time.Instant;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;
import javax.sql.DataSource;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

import static org.assertj.core.api.Assertions.assertThat;

/** What the contract does not say, because it is about the database: its clock, its rows, its transactions. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class JpaBreakerStoreTest {

    private static final Failures FAILURE = Failures.one(FailureKind.OUTAGE, "HTTP 500");
    private static final Failures OUTAGE = new Failures(3, FailureKind.OUTAGE, "HTTP 500");
    private static final Policy POLICY =
            Policy.DEFAULT.toBuilder().probeInterval(Duration.ZERO).build();

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
    void shows_the_times_of_the_databases_clock() {
        Change opened =
                store.record("rawg", Evidence.of(OUTAGE), Policy.DEFAULT).orElseThrow();

        Instant openedAt = opened.row().standing().openedAt().orElseThrow();
        assertThat(postgres.query("SELECT count(*) FROM distributed_breaker WHERE opened_at = '" + openedAt
                        + "' AND clock_timestamp() - opened_at < INTERVAL '30 seconds'"
                        + " AND next_probe_at = opened_at + INTERVAL '15 seconds' AND updated_at = opened_at"))
                .containsExactly("1");
        assertThat(store.readAll().get(0).recovery().untilNextProbe().orElseThrow())
                .isLessThan(Duration.ofSeconds(15))
                .isPositive();
    }

    @ParameterizedTest
    @EnumSource(Provider.class)
    void takes_the_time_after_the_wait_for_the_row_even_if_the_holder_rolls_back(Provider provider) throws Exception {
        Map<String, Consumer<JpaBreakerStore>> writes = Map.of(
                "counting", s -> s.record("counting", Evidence.of(FAILURE), POLICY),
                "cooling", s -> s.coolDown("cooling", Optional.empty(), FAILURE, POLICY),
                "resetting",
                        s -> assertThat(s.record("resetting", Evidence.SUCCESS, Policy.DEFAULT))
                                .isPresent(),
                "leasing", s -> assertThat(s.acquireProbe("leasing", POLICY)).isPresent());
        store.record("counting", Evidence.of(FAILURE), POLICY);
        store.record("cooling", Evidence.of(FAILURE), POLICY);
        store.record("resetting", Evidence.of(FAILURE), POLICY);
        store.record("leasing", Evidence.of(OUTAGE), POLICY);
        try (JpaBreakerStore waiting = provider.store(pool)) {
            waiting.readAll();
            for (Map.Entry<String, Consumer<JpaBreakerStore>> write : writes.entrySet()) {
                assertTimeAfterWait(waiting, write.getKey(), write.getValue());
            }
            long token = store.readAll().stream()
                    .filter(row -> row.name().equals("leasing"))
                    .findFirst()
                    .orElseThrow()
                    .recovery()
                    .token();
            assertTimeAfterWait(
                    waiting,
                    "leasing",
                    s -> assertThat(s.reportProbe("leasing", token, ProbeVerdict.FAIL, POLICY))
                            .isPresent());
        }
    }

    private void assertTimeAfterWait(JpaBreakerStore waiting, String breaker, Consumer<JpaBreakerStore> write)
            throws Exception {
        try (Connection holder = postgres.dataSource().getConnection();
                Statement statement = holder.createStatement()) {
            holder.setAutoCommit(false);
            statement.execute(
                    "UPDATE distributed_breaker SET failing_instances = '{x}' WHERE name = '" + breaker + "'");
            CompletableFuture<Void> written = CompletableFuture.runAsync(() -> write.accept(waiting));
            postgres.awaitWaiter();
            String released = postgres.query("SELECT clock_timestamp()").get(0);
            holder.rollback();
            written.get();

            assertThat(postgres.query("SELECT updated_at >= '" + released + "' FROM distributed_breaker WHERE name = '"
                            + breaker + "'"))
                    .as(breaker)
                    .containsExactly("t");
        }
    }

    @Test
    void a_success_that_had_to_wait_until_the_window_was_over_changes_nothing() throws Exception {
        Policy brief = Policy.DEFAULT.toBuilder()
                .failureRatio(OptionalDouble.of(1))
                .window(Duration.ofSeconds(2))
                .build();
        store.record("rawg", Evidence.of(FAILURE), brief);
        Change before = store.record("rawg", Evidence.SUCCESS, brief).orElseThrow();
        try (Connection holder = postgres.dataSource().getConnection();
                Statement statement = holder.createStatement()) {
            holder.setAutoCommit(false);
            statement.execute("SELECT FROM distributed_breaker FOR UPDATE");
            CompletableFuture<Optional<Change>> written =
                    CompletableFuture.supplyAsync(() -> store.record("rawg", Evidence.SUCCESS, brief));
            postgres.awaitWaiter();
            postgres.await("SELECT window_until <= clock_timestamp() FROM distributed_breaker");
            holder.rollback();

            assertThat(written.get()).isEmpty();
        }
        assertThat(postgres.query("SELECT version FROM distributed_breaker"))
                .containsExactly(String.valueOf(before.row().version()));
    }

    @Test
    void a_rollback_of_the_callers_transaction_does_not_take_the_failure_with_it() throws SQLException {
        postgres.execute("CREATE TABLE orders (id integer)");
        try (Connection business = pool.getConnection();
                Statement statement = business.createStatement()) {
            business.setAutoCommit(false);
            statement.execute("INSERT INTO orders VALUES (1)");
            store.record("rawg", Evidence.of(FAILURE), POLICY);
            business.rollback();
        }

        assertThat(postgres.query("SELECT consecutive_failures FROM distributed_breaker"))
                .containsExactly("1");
        assertThat(postgres.query("SELECT id FROM orders")).isEmpty();
    }

    @ParameterizedTest
    @EnumSource(Provider.class)
    void a_write_is_committed_even_if_the_pool_leaves_that_to_its_users(Provider provider) {
        DataSource noAutoCommit = new TestDataSource() {
            @Override
            public Connection getConnection() throws SQLException {
                Connection connection = postgres.dataSource().getConnection();
                connection.setAutoCommit(false);
                return connection;
            }
        };
        try (JpaBreakerStore committing = provider.store(noAutoCommit)) {
            committing.record("rawg", Evidence.of(OUTAGE), POLICY);
        }

        assertThat(postgres.query("SELECT state FROM distributed_breaker")).containsExactly("OPEN");
    }

    @ParameterizedTest
    @EnumSource(Provider.class)
    void applications_on_one_server_keep_their_databases_apart(Provider provider) {
        TestPostgres elsewhere = TestPostgres.newDatabase();
        try (JpaBreakerStore one = provider.store(pool);
                JpaBreakerStore other = provider.store(elsewhere.dataSource())) {
            one.record("rawg", Evidence.of(FAILURE), POLICY);

            assertThat(other.readAll()).isEmpty();
            assertThat(one.readAll()).hasSize(1);
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"shop_", "shop%", "Shop_", "a:b/", "'"})
    void applications_that_share_a_database_are_kept_apart_by_a_prefix(String prefix) {
        try (JpaBreakerStore own = Provider.HIBERNATE.store(pool, SchemaMode.NONE, prefix, "two")) {
            store.record("rawg", Evidence.of(FAILURE), POLICY);
            store.record("shopXrawg", Evidence.of(FAILURE), POLICY);
            store.record("shopping", Evidence.of(FAILURE), POLICY);

            Change change = own.record("rawg", Evidence.of(OUTAGE), POLICY).orElseThrow();

            assertThat(change.row().name()).isEqualTo("rawg");
            assertThat(change.transition().orElseThrow().breaker()).isEqualTo("rawg");
            assertThat(own.readAll()).hasSize(1).first().returns("rawg", BreakerRow::name);
            assertThat(own.acquireProbe("rawg", POLICY).orElseThrow().row().name())
                    .isEqualTo("rawg");
            assertThat(store.readAll().stream().map(BreakerRow::name))
                    .containsExactlyInAnyOrder("rawg", "shopXrawg", "shopping", prefix + "rawg");
            assertThat(postgres.query("SELECT breaker = $p$" + prefix + "rawg$p$ FROM distributed_breaker_transition"))
                    .containsExactly("t");
        }
    }

    @Test
    void an_override_of_a_breaker_that_never_failed_is_read() {
        postgres.execute("INSERT INTO distributed_breaker (name, version, override_mode, updated_at)"
                + " VALUES ('rawg', 1, 'FORCED_OPEN', now())");

        BreakerRow row = store.readAll().get(0);

        assertThat(row.isOpen()).isFalse();
        assertThat(row.holds().override().orElseThrow())
                .returns(OverrideMode.FORCED_OPEN, word -> word.mode())
                .returns("", word -> word.by())
                .returns(Optional.empty(), word -> word.left());
    }

    @Test
    void a_breaker_that_was_opened_by_hand_can_be_probed() {
        postgres.execute("INSERT INTO distributed_breaker (name, version, state, updated_at)"
                + " VALUES ('rawg', 1, 'OPEN', now())");

        assertThat(store.readAll().get(0).recovery().untilNextProbe()).contains(Duration.ZERO);
        assertThat(store.acquireProbe("rawg", POLICY)).isPresent();
    }

    @Test
    void a_breaker_that_was_deleted_by_hand_starts_again_with_greater_versions_and_tokens() {
        store.record("rawg", Evidence.of(OUTAGE), POLICY);
        BreakerRow before = store.acquireProbe("rawg", POLICY).orElseThrow().row();
        postgres.execute("DELETE FROM distributed_breaker");
        store.record("rawg", Evidence.of(OUTAGE), POLICY);

        assertThat(store.reportProbe("rawg", before.recovery().token(), ProbeVerdict.PASS, POLICY))
                .isEmpty();

        BreakerRow after = store.acquireProbe("rawg", POLICY).orElseThrow().row();
        assertThat(after.version()).isGreaterThan(before.version());
        assertThat(after.recovery().token()).isGreaterThan(before.recovery().token());
    }

    @Test
    void a_kind_of_failure_that_only_a_newer_version_knows_is_an_outage() {
        store.record("rawg", Evidence.of(FAILURE), POLICY);
        postgres.execute("UPDATE distributed_breaker SET last_failure_kind = 'HAUNTED'");

        assertThat(store.readAll().get(0).lastFailure().orElseThrow().kind()).isEqualTo(FailureKind.OUTAGE);
    }

    @Test
    void the_history_tells_how_it_came_about() {
        Policy twoPasses = POLICY.toBuilder().probeSuccesses(2).build();
        store.record("rawg", Evidence.of(new Failures(4, FailureKind.OUTAGE, "HTTP 522")), twoPasses);
        for (int i = 0; i < 2; i++) {
            long token = store.acquireProbe("rawg", twoPasses)
                    .orElseThrow()
                    .row()
                    .recovery()
                    .token();
            assertThat(store.reportProbe("rawg", token, ProbeVerdict.PASS, twoPasses))
                    .isPresent();
        }

        assertThat(postgres.query("SELECT breaker, from_state, to_state, cause, instance, evidence_count,"
                        + " last_failure_kind, last_failure_text FROM distributed_breaker_transition ORDER BY id"))
                .containsExactly(
                        "rawg CLOSED OPEN FAILURES one 4 OUTAGE HTTP 522",
                        "rawg OPEN CLOSED PROBES one 2 OUTAGE HTTP 522");
    }

    @Test
    void nothing_is_written_or_locked_by_what_is_not_granted() {
        store.record("rawg", Evidence.of(OUTAGE), Policy.DEFAULT);
        String before = postgres.query("SELECT xmin, xmax, ctid FROM distributed_breaker")
                .get(0);

        assertThat(store.acquireProbe("rawg", Policy.DEFAULT)).isEmpty();
        assertThat(store.record("rawg", Evidence.SUCCESS, Policy.DEFAULT)).isEmpty();
        assertThat(store.reportProbe("rawg", 1, ProbeVerdict.PASS, Policy.DEFAULT))
                .isEmpty();
        store.readAll();

        assertThat(postgres.query("SELECT xmin, xmax, ctid FROM distributed_breaker"))
                .containsExactly(before);
    }

    @Test
    void touches_nothing_before_the_first_use() {
        AtomicInteger lookUps = new AtomicInteger();

        try (JpaBreakerStore lazy = new JpaBreakerStore(new JpaStoreSettings(
                () -> {
                    lookUps.incrementAndGet();
                    return pool;
                },
                "jdbc/breakers",
                SchemaMode.VALIDATE,
                "",
                "one",
                Duration.ofSeconds(20)))) {
            assertThat(lookUps).hasValue(0);
            lazy.readAll();
            lazy.readAll();
            assertThat(lookUps).hasValue(1);
        }
    }
}
