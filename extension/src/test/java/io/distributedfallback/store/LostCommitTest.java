package io.distributedfallback.store;

import io.distributedfallback.FailureKind;
import io.distributedfallback.core.Evidence;
import io.distributedfallback.core.Failures;
import io.distributedfallback.core.Policy;
import io.distributedfallback.core.ProblemCode;
import io.distributedfallback.core.StoreException;
import io.distributedfallback.core.StoreInDoubtException;
import io.distributedfallback.store.Relay.Cut;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.Objects;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.postgresql.ds.PGSimpleDataSource;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

/** Connections that are lost around a commit: by a relay between the driver and PostgreSQL that cuts both ends. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class LostCommitTest {

    private static final Evidence OUTAGE = Evidence.of(new Failures(3, FailureKind.OUTAGE, "HTTP 500"));

    private final TestPostgres postgres = TestPostgres.newDatabase();
    private Relay relay;
    private PGSimpleDataSource relayed;
    private JpaBreakerStore store;

    @BeforeEach
    void start() throws Exception {
        postgres.empty();
        PGSimpleDataSource direct = postgres.login("postgres");
        relay = new Relay(direct.getPortNumbers()[0]);
        relayed = postgres.login("postgres");
        relayed.setServerNames(new String[] {"127.0.0.1"});
        relayed.setPortNumbers(new int[] {relay.port()});
        relayed.setSslMode("disable");
        relayed.setGssEncMode("disable");
    }

    @AfterEach
    void stop() throws Exception {
        store.close();
        relay.close();
    }

    private void open(Provider provider) {
        store = provider.store(relayed);
        store.readAll();
    }

    @ParameterizedTest
    @EnumSource(Provider.class)
    void a_commit_whose_answer_is_lost_is_in_doubt_and_was_committed(Provider provider) {
        open(provider);
        relay.cut(Cut.AFTER_COMMIT);

        StoreInDoubtException lost = inDoubt();

        assertThat(lost.code()).isEqualTo(ProblemCode.DFB302);
        assertThat(lost.change().transition()).isPresent();
        assertThat(lost.change().row().standing().consecutiveFailures()).isEqualTo(3);
        postgres.await("SELECT count(*) = 1 FROM distributed_breaker WHERE state = 'OPEN'");
        assertThat(store.wasCommitted(lost.transaction())).contains(true);
        assertThat(postgres.query("SELECT version FROM distributed_breaker_transition"))
                .containsExactly(Objects.toString(lost.change().row().version()));
    }

    @ParameterizedTest
    @EnumSource(Provider.class)
    void a_commit_that_never_arrived_is_in_doubt_and_was_not_committed(Provider provider) {
        open(provider);
        relay.cut(Cut.BEFORE_COMMIT);

        StoreInDoubtException lost = inDoubt();

        postgres.await("SELECT pg_xact_status('" + lost.transaction() + "') = 'aborted'");
        assertThat(store.wasCommitted(lost.transaction())).contains(false);
        assertThat(store.readAll()).isEmpty();
    }

    @ParameterizedTest
    @EnumSource(Provider.class)
    void a_connection_that_is_lost_with_the_statement_leaves_no_doubt(Provider provider) {
        open(provider);
        relay.cut(Cut.BEFORE_STATEMENT);

        StoreException lost = catchThrowableOfType(StoreException.class, this::fail);

        assertThat(lost).isExactlyInstanceOf(StoreException.class);
        assertThat(store.readAll()).isEmpty();
    }

    @ParameterizedTest
    @EnumSource(Provider.class)
    void a_commit_that_the_database_refuses_leaves_no_doubt(Provider provider) {
        open(provider);
        postgres.execute("CREATE FUNCTION refuse() RETURNS trigger LANGUAGE plpgsql AS"
                + " 'BEGIN RAISE EXCEPTION ''not today''; END';"
                + " CREATE CONSTRAINT TRIGGER refusing AFTER INSERT ON distributed_breaker"
                + " DEFERRABLE INITIALLY DEFERRED FOR EACH ROW EXECUTE FUNCTION refuse()");

        StoreException refused = catchThrowableOfType(StoreException.class, this::fail);

        assertThat(refused).isExactlyInstanceOf(StoreException.class).hasMessageContaining("not today");
        assertThat(store.readAll()).isEmpty();
    }

    @ParameterizedTest
    @EnumSource(Provider.class)
    void a_transaction_that_is_still_under_way_is_not_known(Provider provider) throws SQLException {
        open(provider);
        try (Connection busy = postgres.dataSource().getConnection();
                Statement statement = busy.createStatement()) {
            busy.setAutoCommit(false);
            try (var number = statement.executeQuery("SELECT CAST(pg_current_xact_id() AS text)")) {
                number.next();
                assertThat(store.wasCommitted(Long.parseLong(number.getString(1))))
                        .isEmpty();
            }
            busy.rollback();
        }
    }

    @ParameterizedTest
    @EnumSource(Provider.class)
    void a_number_that_a_crash_has_lost_and_nobody_has_got_again_was_not_committed(Provider provider)
            throws SQLException {
        open(provider);
        long last = Long.parseLong(
                postgres.query("SELECT CAST(pg_current_xact_id() AS text)").get(0));

        assertThat(store.wasCommitted(last)).contains(true);
        assertThat(store.wasCommitted(last + 1_000)).contains(false);
    }

    private StoreInDoubtException inDoubt() {
        StoreInDoubtException lost = catchThrowableOfType(StoreInDoubtException.class, this::fail);
        assertThat(lost).isNotNull();
        return lost;
    }

    private void fail() {
        store.record("rawg", OUTAGE, Policy.DEFAULT);
    }
}
