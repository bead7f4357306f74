package io.distributedfallback.it.container;

import io.distributedfallback.BreakerState;
import io.distributedfallback.Breakers;
import jakarta.annotation.Resource;
import jakarta.enterprise.concurrent.ManagedExecutorService;
import jakarta.inject.Inject;
import jakarta.transaction.Status;
import jakarta.transaction.UserTransaction;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import javax.naming.InitialContext;
import javax.sql.DataSource;
import org.jboss.arquillian.container.test.api.Deployment;
import org.jboss.arquillian.junit5.ArquillianExtension;
import org.jboss.shrinkwrap.api.spec.WebArchive;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;

/** The jar dropped into an application, seen from inside the server. */
@ExtendWith(ArquillianExtension.class)
class InsideTheContainerIT {

    @Inject
    Breakers breakers;

    @Inject
    Ledger ledger;

    @Inject
    Flaky flaky;

    @Resource(lookup = "java:comp/DefaultDataSource")
    DataSource database;

    @Resource(lookup = "java:comp/UserTransaction")
    UserTransaction transaction;

    @Resource(lookup = "java:comp/DefaultManagedExecutorService")
    ManagedExecutorService executor;

    @Deployment
    static WebArchive application() {
        return Wars.configured(
                Wars.of("inside", Ledger.class, Flaky.class),
                "distributed-fallback.schema=create",
                "distributed-fallback.snapshot.fresh=50ms");
    }

    @BeforeEach
    void create_the_business_table() throws SQLException {
        try (Connection connection = database.getConnection();
                PreparedStatement create =
                        connection.prepareStatement("CREATE TABLE IF NOT EXISTS ledger (entry text)")) {
            create.execute();
        }
    }

    @SuppressWarnings("BanJNDI") // The names are the product's own defaults.
    @Test
    void the_resources_that_the_defaults_name_resolve() throws Exception {
        assertNotNull(InitialContext.doLookup("java:comp/DefaultDataSource"));
        assertNotNull(InitialContext.doLookup("java:comp/DefaultManagedExecutorService"));
        assertEquals(
                BreakerState.CLOSED,
                breakers.get("unheard of").status().standing().state());
    }

    @Test
    void the_rollback_of_the_guarded_method_leaves_its_failure_counted_and_the_fallback_outside() throws Exception {
        long failures = failures("ledger");

        assertEquals(Status.STATUS_NO_TRANSACTION, ledger.book("lost"));

        assertEquals(failures + 1, failures("ledger"));
        assertEquals(0, count("SELECT count(*) FROM ledger WHERE entry = ?", "lost"));
    }

    @Test
    void the_rollback_of_the_caller_leaves_the_failure_counted() throws Exception {
        long failures = failures("plain");

        transaction.begin();
        assertEquals(Status.STATUS_ACTIVE, ledger.fail());
        transaction.rollback();

        assertEquals(failures + 1, failures("plain"));
    }

    @Test
    void the_failure_does_not_spoil_the_transaction_of_the_caller() throws Exception {
        transaction.begin();
        ledger.fail();
        insert("kept");
        transaction.commit();

        assertEquals(1, count("SELECT count(*) FROM ledger WHERE entry = ?", "kept"));
    }

    @Test
    void without_a_request_a_due_probe_runs_at_once() throws Exception {
        // A task of the managed executor serves no request.
        executor.submit(() -> {
                    until("a probe has run", () -> {
                        flaky.ask();
                        return flaky.probes() > 0;
                    });
                    flaky.mend();
                    until("the probe has closed the breaker", () -> flaky.ask().equals("primary"));
                    return null;
                })
                .get(30, TimeUnit.SECONDS);
    }

    /** Something that is true or false. */
    private interface Condition {
        boolean holds();
    }

    private static void until(String what, Condition condition) {
        long end = System.nanoTime() + Duration.ofSeconds(10).toNanos();
        while (!condition.holds()) {
            if (System.nanoTime() - end >= 0) {
                throw new AssertionError("not in time: " + what);
            }
            LockSupport.parkNanos(20_000_000);
        }
    }

    private long failures(String breaker) throws SQLException {
        return count("SELECT coalesce(max(consecutive_failures), 0) FROM distributed_breaker WHERE name = ?", breaker);
    }

    private void insert(String entry) throws SQLException {
        try (Connection connection = database.getConnection();
                PreparedStatement insert = connection.prepareStatement("INSERT INTO ledger (entry) VALUES (?)")) {
            insert.setString(1, entry);
            insert.executeUpdate();
        }
    }

    private long count(String sql, String parameter) throws SQLException {
        try (Connection connection = database.getConnection();
                PreparedStatement statement = connection.prepareStatement(sql)) {
            statement.setString(1, parameter);
            try (ResultSet rows = statement.executeQuery()) {
                return rows.next() ? rows.getLong(1) : 0;
            }
        }
    }
}
