package io.distributedfallback.store;

import com.zaxxer.hikari.HikariDataSource;
import io.distributedfallback.BreakerState;
import io.distributedfallback.core.MonotonicClock;
import io.distributedfallback.core.SchemaMode;
import io.distributedfallback.core.Timings;
import io.distributedfallback.store.Relay.Cut;
import java.io.IOException;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicReference;
import javax.sql.DataSource;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.postgresql.ds.PGSimpleDataSource;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;

/** Field cases of a store that is lost, broken, or out of reach: whole engines on one PostgreSQL. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class LostStoreFieldCasesTest {

    private static final String ROW = "SELECT state, consecutive_failures FROM distributed_breaker";

    /** For as long as pools let somebody wait where nobody has set that. */
    private static final Duration LONG_WAIT = Duration.ofSeconds(30);

    private final TestPostgres postgres = TestPostgres.newDatabase();
    private final List<AutoCloseable> open = new ArrayList<>();
    private final AtomicReference<DataSource> dataSource = new AtomicReference<>(postgres.dataSource());

    /** Costly to make, and with no memory of its own: engines share it. */
    private final JpaBreakerStore store = Provider.HIBERNATE.store(
            new TestDataSource() {
                @Override
                public Connection getConnection() throws SQLException {
                    return dataSource.get().getConnection();
                }
            },
            SchemaMode.VALIDATE,
            "",
            "one");

    @BeforeEach
    void start() {
        postgres.empty();
        new Definitions(postgres).runAll();
        dataSource.set(postgres.dataSource());
        store.readAll();
    }

    @AfterEach
    void stop() throws Exception {
        for (AutoCloseable each : open) {
            each.close();
        }
        open.clear();
    }

    @AfterAll
    void close() {
        store.close();
    }

    private EngineInstance instance(Timings timings, MonotonicClock clock) {
        EngineInstance instance = new EngineInstance(store, timings, clock);
        open.add(instance);
        return instance;
    }

    @ParameterizedTest
    @EnumSource
    void a_store_that_goes_away_in_a_failing_call_leaves_the_fallback_or_the_primarys_exception(Cut where) // C3
            throws Exception {
        for (boolean hasFallback : new boolean[] {true, false}) {
            postgres.execute("TRUNCATE distributed_breaker");
            try (Relay relay = new Relay(postgres.login("postgres").getPortNumbers()[0])) {
                dataSource.set(through(relay));
                EngineInstance instance = instance(EngineInstance.PATIENT, System::nanoTime);
                if (where != Cut.BEFORE_READ) {
                    assertThat(instance.call("another")).isEqualTo("primary"); // its copy is read
                }
                relay.cutForGood(where);
                instance.down = true;

                if (hasFallback) {
                    assertThat(instance.call()).isEqualTo("fallback");
                } else {
                    assertThat(catchThrowable(() -> instance.breaker().call(instance::visit)))
                            .isExactlyInstanceOf(IOException.class)
                            .hasMessage("HTTP 503")
                            .hasNoCause()
                            .hasNoSuppressedExceptions();
                }
                assertThat(instance.losses).singleElement().asString().startsWith("DFB302:");
                assertThat(instance.failures()).isEqualTo(1);
            }
        }
    }

    private PGSimpleDataSource through(Relay relay) {
        PGSimpleDataSource relayed = postgres.login("postgres");
        relayed.setServerNames(new String[] {"127.0.0.1"});
        relayed.setPortNumbers(new int[] {relay.port()});
        relayed.setSslMode("disable");
        relayed.setGssEncMode("disable");
        return relayed;
    }

    /** What is wrong with tables that answer. */
    enum Trouble {
        NO_COLUMN("DFB303:", "opened_at", "ALTER TABLE distributed_breaker DROP COLUMN opened_at CASCADE"),
        NO_TABLE("DFB303:", "distributed_breaker", "DROP TABLE distributed_breaker CASCADE"),
        NO_RIGHT("DFB304:", "permission denied", "REVOKE INSERT, UPDATE ON distributed_breaker FROM clerk"),
        READ_ONLY("DFB304:", "read-only", "ALTER ROLE clerk SET default_transaction_read_only = on");

        private final String code;
        private final String detail;
        private final String statement;

        Trouble(String code, String detail, String statement) {
            this.code = code;
            this.detail = detail;
            this.statement = statement;
        }
    }

    @ParameterizedTest
    @EnumSource
    void tables_that_cannot_be_used_are_told_of_once_and_the_instance_breaks_on_its_own(Trouble trouble) { // C8, C14
        postgres.execute("DROP ROLE IF EXISTS clerk; CREATE ROLE clerk LOGIN;"
                + " GRANT SELECT, INSERT, UPDATE, DELETE ON ALL TABLES IN SCHEMA public TO clerk");
        postgres.execute(trouble.statement);
        dataSource.set(postgres.login("clerk"));
        // Its time stands still, so that it does not ask again before the test has ended.
        EngineInstance instance = instance(EngineInstance.PATIENT, () -> 0);

        instance.down = true;
        for (int i = 0; i < 20; i++) {
            assertThat(instance.call()).isEqualTo("fallback");
        }

        assertThat(instance.visitors).hasValue(3);
        assertThat(instance.losses)
                .singleElement()
                .asString()
                .startsWith(trouble.code)
                .contains(trouble.detail);
        assertThat(instance.breaker().status().standing().state()).isEqualTo(BreakerState.OPEN);
        postgres.execute("DROP OWNED BY clerk; DROP ROLE clerk");
    }

    @ParameterizedTest
    @ValueSource(strings = {"TRUNCATE distributed_breaker", "DELETE FROM distributed_breaker WHERE name = 'rawg'"})
    void a_row_that_was_deleted_by_hand_is_a_closed_breaker_and_no_trouble(String statement) { // C8
        EngineInstance instance = instance(
                new Timings(
                        Duration.ofMillis(10), Duration.ofSeconds(30), Duration.ofSeconds(30), Duration.ofSeconds(30)),
                System::nanoTime);
        instance.fail(3);
        assertThat(instance.call()).isEqualTo("fallback");

        postgres.execute(statement);

        EngineInstance.await(() -> instance.call().equals("primary"));
        instance.fail(2);
        assertThat(postgres.query(ROW)).containsExactly("CLOSED 2");
        instance.fail(1);
        assertThat(postgres.query(ROW)).containsExactly("OPEN 3");
        assertThat(instance.losses).isEmpty();
    }

    @Test
    void a_pool_that_the_application_has_used_up_delays_no_call_beyond_the_time_outs_of_the_store() // C13
            throws Exception {
        try (HikariDataSource pool = new HikariDataSource()) {
            pool.setDataSource(postgres.dataSource());
            pool.setMaximumPoolSize(2);
            pool.setConnectionTimeout(LONG_WAIT.toMillis());
            dataSource.set(pool);
            Duration timeout = Duration.ofMillis(200);
            EngineInstance instance = instance(
                    new Timings(Duration.ofSeconds(2), Duration.ofSeconds(30), timeout, timeout), System::nanoTime);
            instance.down = true;
            try (Connection first = pool.getConnection();
                    Connection second = pool.getConnection()) {
                assertThat(first).isNotSameAs(second);
                long begun = System.nanoTime();
                for (int i = 0; i < 20; i++) {
                    assertThat(instance.call()).isEqualTo("fallback");
                }

                // One wait for the first read, one for the first write, and a machine that is busy.
                assertThat(Duration.ofNanos(System.nanoTime() - begun)).isLessThan(LONG_WAIT.dividedBy(3));
                assertThat(instance.visitors).hasValue(3);
                assertThat(instance.losses).singleElement().asString().startsWith("DFB305:");
                assertThat(pool.getHikariPoolMXBean().getThreadsAwaitingConnection())
                        .isLessThanOrEqualTo(2);
            }
            EngineInstance.await(() -> {
                instance.pass(Duration.ofSeconds(2));
                return instance.call().equals("fallback")
                        && instance.breakers.readings().isStoreUp();
            });
        }
    }
}
