package io.distributedfallback.store;

import io.distributedfallback.FailureKind;
import io.distributedfallback.OperatorCommand;
import io.distributedfallback.OperatorCommand.Action;
import io.distributedfallback.core.BreakerRow;
import io.distributedfallback.core.Evidence;
import io.distributedfallback.core.Failures;
import io.distributedfallback.core.HistoryQuery;
import io.distributedfallback.core.Policy;
import io.distributedfallback.core.ProblemCode;
import io.distributedfallback.core.SchemaMode;
import io.distributedfallback.core.StoreException;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.SQLTransientConnectionException;
import java.sql.Statement;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import javax.sql.DataSource;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;
import org.postgresql.ds.PGSimpleDataSource;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

/** What a user gets when things are wrong: a code, the place, what the database said and the remedy. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
@Tag("storm")
class StoreTroubleTest {

    private static final Failures FAILURE = Failures.one(FailureKind.OUTAGE, "HTTP 500");

    private final TestPostgres postgres = TestPostgres.newDatabase();
    private final AtomicReference<DataSource> dataSource = new AtomicReference<>();
    private JpaBreakerStore store;

    @BeforeEach
    void empty() {
        postgres.empty();
        dataSource.set(postgres.dataSource());
        store = null;
    }

    @AfterEach
    void close() {
        if (store != null) {
            store.close();
        }
    }

    @ParameterizedTest
    @EnumSource(Provider.class)
    void no_data_source_until_it_is_there(Provider provider) {
        dataSource.set(null);
        open(provider, SchemaMode.CREATE);

        assertThat(trouble(store::readAll))
                .hasMessageStartingWith(
                        "DFB301: the data source was not found: data source jdbc/breakers [nothing there].")
                .hasMessageContaining("distributed-fallback.datasource");

        dataSource.set(postgres.dataSource());
        assertThat(store.readAll()).isEmpty();
    }

    @ParameterizedTest
    @EnumSource(Provider.class)
    void preparing_asks_no_database(Provider provider) {
        AtomicInteger connections = new AtomicInteger();
        store = provider.store(new TestDataSource() {
            @Override
            public Connection getConnection() throws SQLException {
                connections.incrementAndGet();
                return postgres.dataSource().getConnection();
            }
        });

        store.prepare();
        assertThat(connections).hasValue(0);

        assertThat(store.readAll()).isEmpty();
    }

    @ParameterizedTest
    @EnumSource(Provider.class)
    void what_fails_in_preparation_is_told_at_the_first_use(Provider provider) {
        dataSource.set(null);
        open(provider, SchemaMode.CREATE);

        store.prepare();
        assertThat(trouble(store::readAll)).hasMessageContaining("DFB301");

        dataSource.set(postgres.dataSource());
        store.prepare();
        assertThat(store.readAll()).isEmpty();
    }

    @Test
    void a_look_up_that_fails_is_no_data_source() {
        store = Provider.HIBERNATE.store(new JpaStoreSettings(
                () -> {
                    throw new IllegalStateException("not bound");
                },
                "jdbc/breakers",
                SchemaMode.NONE,
                "",
                "one",
                Duration.ofSeconds(5)));

        assertThat(trouble(store::readAll)).hasMessageContaining("DFB301").hasMessageContaining("[not bound]");
    }

    @ParameterizedTest
    @EnumSource(Provider.class)
    void missing_tables_until_they_are_there(Provider provider) {
        open(provider, SchemaMode.VALIDATE);

        assertThat(trouble(store::readAll))
                .hasMessageStartingWith("DFB303: the tables are missing or do not fit: data source jdbc/breakers")
                .hasMessageContaining("SQLSTATE 42P01")
                .hasMessageContaining("\"distributed_breaker\" does not exist")
                .hasMessageContaining("V1__distributed_breaker.sql")
                .hasMessageContaining("distributed-fallback.schema=create");

        createTables();
        assertThat(store.readAll()).isEmpty();
    }

    @ParameterizedTest
    @EnumSource(Provider.class)
    void tables_of_an_older_version(Provider provider) {
        new Definitions(postgres).run(1);
        open(provider, SchemaMode.VALIDATE);

        assertThat(trouble(store::readAll))
                .hasMessageStartingWith("DFB303: the tables are missing or do not fit: data source jdbc/breakers")
                .hasMessageContaining("SQLSTATE 42703")
                .hasMessageContaining("V2__active_breakers.sql");

        new Definitions(postgres).run(2);
        assertThat(trouble(store::readAll))
                .hasMessageContaining("SQLSTATE 42703")
                .hasMessageContaining("V3__commands_and_history.sql");

        new Definitions(postgres).run(3);
        assertThat(trouble(store::readAll))
                .hasMessageContaining("SQLSTATE 42703")
                .hasMessageContaining("V4__ramp_up.sql");

        new Definitions(postgres).run(4);
        assertThat(store.readAll()).isEmpty();
    }

    @Test
    void tables_of_an_older_version_that_the_role_does_not_own() {
        new Definitions(postgres).run(1);
        createRole("no_owner", "");
        postgres.execute("GRANT ALL ON ALL TABLES IN SCHEMA public TO no_owner");
        dataSource.set(postgres.login("no_owner"));
        open(Provider.HIBERNATE, SchemaMode.CREATE);

        assertThat(trouble(store::readAll))
                .hasMessageContaining("DFB304")
                .hasMessageContaining("must be owner")
                .hasMessageContaining("to upgrade tables, to own them");
    }

    @ParameterizedTest
    @EnumSource(Provider.class)
    void missing_tables_that_nobody_validated(Provider provider) {
        open(provider, SchemaMode.NONE);

        assertThat(trouble(store::readAll)).hasMessageContaining("DFB303");
        assertThat(trouble(() -> store.record("rawg", Evidence.SUCCESS, Policy.DEFAULT)))
                .hasMessageContaining("DFB303");
    }

    @ParameterizedTest
    @EnumSource(Provider.class)
    void a_missing_column(Provider provider) {
        createTables();
        postgres.execute("ALTER TABLE distributed_breaker DROP COLUMN transition_version");
        open(provider, SchemaMode.CREATE);

        assertThat(trouble(store::readAll))
                .hasMessageContaining("DFB303")
                .hasMessageContaining("SQLSTATE 42703")
                .hasMessageContaining("transition_version");
    }

    @ParameterizedTest
    @EnumSource(Provider.class)
    void a_role_that_may_not_update(Provider provider) {
        createTables();
        createRole("no_update_" + provider.name(), "");
        postgres.execute("GRANT SELECT, INSERT ON ALL TABLES IN SCHEMA public TO no_update_" + provider.name());
        dataSource.set(postgres.login("no_update_" + provider.name().toLowerCase(Locale.ROOT)));
        open(provider, SchemaMode.CREATE);

        assertThat(store.readAll()).isEmpty();
        assertThat(trouble(this::fail))
                .hasMessageStartingWith("DFB304: the database refuses the role: data source jdbc/breakers")
                .hasMessageContaining("permission denied for table distributed_breaker")
                .hasMessageContaining("GRANT SELECT, INSERT, UPDATE, DELETE ON distributed_breaker");
        assertThat(trouble(store::requireWritable)).hasMessageContaining("DFB304");
    }

    @ParameterizedTest
    @EnumSource(Provider.class)
    void a_role_that_may_not_delete_can_do_all_but_that(Provider provider) {
        createTables();
        createRole("no_delete_" + provider.name(), "");
        postgres.execute("GRANT SELECT, INSERT, UPDATE ON distributed_breaker TO no_delete_" + provider.name()
                + "; GRANT SELECT, INSERT ON distributed_breaker_transition TO no_delete_" + provider.name());
        dataSource.set(postgres.login("no_delete_" + provider.name().toLowerCase(Locale.ROOT)));
        open(provider, SchemaMode.VALIDATE);
        fail();

        assertThat(trouble(() -> store.retire(Duration.ZERO)))
                .hasMessageStartingWith("DFB304: the database refuses the role: data source jdbc/breakers")
                .hasMessageContaining("SQLSTATE 42501")
                .hasMessageContaining("DELETE ON distributed_breaker");
        assertThat(trouble(() -> store.trimHistory(Duration.ZERO)))
                .hasMessageContaining("DFB304")
                .hasMessageContaining("permission denied for table distributed_breaker_transition")
                .hasMessageContaining("SELECT, INSERT, DELETE ON distributed_breaker_transition");

        store.command("rawg", new OperatorCommand(Action.RESET, "ann", "mended", Optional.empty()));
        fail();
        assertThat(store.readAll()).hasSize(1);
        fail();
    }

    @ParameterizedTest
    @EnumSource(Provider.class)
    void a_missing_function(Provider provider) {
        createTables();
        postgres.execute("DROP FUNCTION distributed_breaker_command");
        open(provider, SchemaMode.VALIDATE);

        assertThat(trouble(store::readAll))
                .hasMessageContaining("DFB303")
                .hasMessageContaining("distributed_breaker_command")
                .hasMessageContaining("V3__commands_and_history.sql");
    }

    @Test
    void a_role_that_may_not_create() {
        createRole("no_create", "");
        postgres.execute("REVOKE CREATE ON SCHEMA public FROM PUBLIC");
        dataSource.set(postgres.login("no_create"));
        open(Provider.HIBERNATE, SchemaMode.CREATE);

        assertThat(trouble(store::readAll)).hasMessageContaining("DFB304").hasMessageContaining("SQLSTATE 42501");
    }

    @Test
    void a_role_that_may_not_create_but_need_not() {
        createTables();
        createRole("need_not_create", "");
        postgres.execute("REVOKE CREATE ON SCHEMA public FROM PUBLIC;"
                + " GRANT SELECT, INSERT, UPDATE ON distributed_breaker TO need_not_create;"
                + " GRANT SELECT, INSERT ON distributed_breaker_transition TO need_not_create");
        dataSource.set(postgres.login("need_not_create"));
        open(Provider.HIBERNATE, SchemaMode.CREATE);

        assertThat(store.record("rawg", Evidence.of(new Failures(3, FailureKind.OUTAGE, "HTTP 500")), Policy.DEFAULT)
                        .orElseThrow()
                        .transition())
                .isPresent();
    }

    @ParameterizedTest
    @EnumSource(Provider.class)
    void a_session_that_may_only_read(Provider provider) {
        createTables();
        createRole("reader_" + provider.name(), "SUPERUSER");
        postgres.execute("ALTER ROLE reader_" + provider.name() + " SET default_transaction_read_only = on");
        dataSource.set(postgres.login("reader_" + provider.name().toLowerCase(Locale.ROOT)));
        open(provider, SchemaMode.CREATE);

        assertThat(store.readAll()).isEmpty();
        assertThat(trouble(store::requireWritable)).hasMessageContaining("SQLSTATE 25006");
        assertThat(trouble(this::fail))
                .hasMessageContaining("DFB304")
                .hasMessageContaining("SQLSTATE 25006")
                .hasMessageContaining("read-only");
    }

    @ParameterizedTest
    @CsvSource({
        "'SELECT, INSERT, UPDATE', 'SELECT, INSERT', true",
        "'SELECT, INSERT', 'SELECT, INSERT', false",
        "'SELECT, UPDATE', 'SELECT, INSERT', false",
        "'SELECT, INSERT, UPDATE', 'SELECT', false",
    })
    void a_role_can_write_that_may_count_and_open(String breakers, String history, boolean canWrite) {
        createTables();
        String role = "writes_" + Integer.toHexString((breakers + history).hashCode());
        createRole(role, "");
        postgres.execute("GRANT " + breakers + " ON distributed_breaker TO " + role + "; GRANT " + history
                + " ON distributed_breaker_transition TO " + role);
        dataSource.set(postgres.login(role));
        open(Provider.HIBERNATE, SchemaMode.VALIDATE);

        if (canWrite) {
            store.requireWritable();
        } else {
            assertThat(trouble(store::requireWritable)).hasMessageContaining("SQLSTATE 42501");
        }
        assertThat(store.readAll()).isEmpty();
    }

    @ParameterizedTest
    @EnumSource(Provider.class)
    void asking_whether_it_can_be_written_writes_nothing(Provider provider) {
        open(provider, SchemaMode.CREATE);
        fail();
        BreakerRow before = store.readAll().get(0);
        store.requireWritable();
        assertThat(store.readAll().get(0).version()).isEqualTo(before.version());
        assertThat(store.history(new HistoryQuery(Optional.empty(), OptionalLong.empty(), 10)))
                .isEmpty();
    }

    @Test
    void a_role_that_does_not_exist() {
        dataSource.set(postgres.login("nobody"));
        open(Provider.HIBERNATE, SchemaMode.CREATE);

        assertThat(trouble(store::readAll)).hasMessageContaining("DFB304").hasMessageContaining("\"nobody\"");
    }

    @ParameterizedTest
    @EnumSource(Provider.class)
    void a_database_that_is_away_at_first_and_once_more_later(Provider provider) throws IOException {
        DataSource away = nobodyListens();
        DataSource present = postgres.dataSource();
        dataSource.set(away);
        DataSource switched = new TestDataSource() {
            @Override
            public Connection getConnection() throws SQLException {
                return dataSource.get().getConnection();
            }
        };
        store = provider.store(switched);

        assertThat(trouble(store::readAll))
                .hasMessageStartingWith(
                        "DFB302: the database does not answer: data source jdbc/breakers [SQLSTATE 08001")
                .hasMessageContaining("refused");
        assertThat(trouble(this::fail)).hasMessageContaining("DFB302");
        dataSource.set(present);
        fail();
        dataSource.set(away);
        assertThat(trouble(this::fail)).hasMessageContaining("DFB302");
        dataSource.set(present);
        fail();

        assertThat(store.readAll().get(0).standing().consecutiveFailures()).isEqualTo(2);
    }

    @ParameterizedTest
    @EnumSource(Provider.class)
    void a_pool_with_no_connection_to_spare(Provider provider) {
        DataSource exhausted = new TestDataSource() {
            @Override
            public Connection getConnection() throws SQLException {
                throw new SQLTransientConnectionException("no connection came free in 1000 ms");
            }
        };
        dataSource.set(exhausted);
        open(provider, SchemaMode.NONE);

        assertThat(trouble(store::readAll))
                .hasMessageContaining("DFB302")
                .hasMessageContaining("no connection came free")
                .hasMessageContaining("the size of the pool");
    }

    @ParameterizedTest
    @EnumSource(Provider.class)
    void a_server_that_stops_in_the_middle_of_a_write(Provider provider) throws Exception {
        open(provider, SchemaMode.CREATE);
        fail();
        try (Connection operator = postgres.dataSource().getConnection();
                Statement statement = operator.createStatement()) {
            operator.setAutoCommit(false);
            statement.execute("SELECT FROM distributed_breaker FOR UPDATE");
            CompletableFuture<StoreException> write = CompletableFuture.supplyAsync(() -> trouble(this::fail));
            postgres.awaitWaiter();
            postgres.execute("SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE wait_event_type = 'Lock'");

            assertThat(write.get()).hasMessageContaining("DFB302");
            operator.rollback();
        }
        assertThat(store.readAll().get(0).standing().consecutiveFailures()).isEqualTo(1);
    }

    @ParameterizedTest
    @EnumSource(Provider.class)
    void a_row_that_somebody_else_holds(Provider provider) throws SQLException {
        open(provider, SchemaMode.CREATE);
        fail();
        store.close();
        store = provider.store(settings(SchemaMode.NONE, Duration.ofMillis(500)));
        store.readAll();
        try (Connection operator = postgres.dataSource().getConnection();
                Statement statement = operator.createStatement()) {
            operator.setAutoCommit(false);
            statement.execute("SELECT FROM distributed_breaker FOR UPDATE");
            long start = System.nanoTime();

            assertThat(trouble(this::fail))
                    .hasMessageStartingWith("DFB305: the database did not answer in time: data source jdbc/breakers")
                    .hasMessageContaining("SQLSTATE 57014");

            assertThat(Duration.ofNanos(System.nanoTime() - start))
                    .isBetween(Duration.ofMillis(400), Duration.ofSeconds(5));
            assertThat(store.readAll()).hasSize(1);
            operator.rollback();
        }
    }

    @ParameterizedTest
    @EnumSource(Provider.class)
    void a_change_whose_history_cannot_be_written_is_not_made(Provider provider) {
        open(provider, SchemaMode.CREATE);
        fail();
        fail();
        postgres.execute("ALTER TABLE distributed_breaker_transition ADD COLUMN surprise integer NOT NULL");

        assertThat(trouble(this::fail)).hasMessageContaining("DFB303").hasMessageContaining("surprise");

        assertThat(postgres.query("SELECT state, consecutive_failures FROM distributed_breaker"))
                .containsExactly("CLOSED 2");
    }

    @Test
    void no_provider() {
        store = new JpaBreakerStore(settings(SchemaMode.CREATE, Duration.ofSeconds(5)), List::of);

        assertThat(trouble(store::readAll))
                .hasMessageStartingWith("DFB307: no Jakarta Persistence provider was found")
                .hasMessageContaining("distributed-fallback.store=memory");
    }

    @Test
    void a_store_that_was_closed_stays_closed() {
        open(Provider.HIBERNATE, SchemaMode.CREATE);
        fail();
        store.close();

        assertThat(trouble(this::fail)).hasMessageContaining("DFB302").hasMessageContaining("was closed");
    }

    @Test
    void a_store_never_used_can_be_closed() {
        open(Provider.HIBERNATE, SchemaMode.CREATE);

        store.close();

        assertThat(trouble(store::readAll).code()).isEqualTo(ProblemCode.DFB302);
    }

    private void open(Provider provider, SchemaMode schema) {
        store = provider.store(settings(schema, Duration.ofSeconds(20)));
    }

    private JpaStoreSettings settings(SchemaMode schema, Duration queryTimeout) {
        return new JpaStoreSettings(dataSource::get, "jdbc/breakers", schema, "", "one", queryTimeout);
    }

    private void fail() {
        store.record("rawg", Evidence.of(FAILURE), Policy.DEFAULT);
    }

    private static StoreException trouble(ThrowingCallable use) {
        StoreException thrown = catchThrowableOfType(StoreException.class, use);
        assertThat(thrown).isNotNull();
        return thrown;
    }

    private void createTables() {
        try (JpaBreakerStore creator = Provider.HIBERNATE.store(postgres.dataSource())) {
            creator.readAll();
        }
    }

    private void createRole(String role, String attributes) {
        postgres.execute("DROP ROLE IF EXISTS " + role + "; CREATE ROLE " + role + " LOGIN " + attributes);
    }

    private static DataSource nobodyListens() throws IOException {
        PGSimpleDataSource source = new PGSimpleDataSource();
        source.setServerNames(new String[] {"localhost"});
        try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            source.setPortNumbers(new int[] {socket.getLocalPort()});
        }
        source.setUser("postgres");
        source.setDatabaseName("postgres");
        return source;
    }
}
