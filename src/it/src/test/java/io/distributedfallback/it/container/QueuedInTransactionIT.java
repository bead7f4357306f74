package io.distributedfallback.it.container;

import io.distributedfallback.BreakerStatus;
import io.distributedfallback.Breakers;
import io.distributedfallback.it.container.Mailroom.Letter;
import jakarta.annotation.Resource;
import jakarta.inject.Inject;
import jakarta.transaction.RollbackException;
import jakarta.transaction.UserTransaction;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.List;
import java.util.concurrent.TimeUnit;
import javax.sql.DataSource;
import org.jboss.arquillian.container.test.api.Deployment;
import org.jboss.arquillian.junit5.ArquillianExtension;
import org.jboss.shrinkwrap.api.spec.WebArchive;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

import static jakarta.transaction.Status.STATUS_ACTIVE;
import static jakarta.transaction.Status.STATUS_NO_TRANSACTION;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

/** A stored call belongs to the caller's transaction, and is made in none but the method's own. */
@ExtendWith(ArquillianExtension.class)
class QueuedInTransactionIT {

    private static final Letter LETTER = new Letter("Bob", List.of(1, 2));

    @Inject
    Breakers breakers;

    @Inject
    Mailroom mailroom;

    @Inject
    PostOffice office;

    @Resource(lookup = "java:comp/DefaultDataSource")
    DataSource database;

    @Resource(lookup = "java:comp/UserTransaction")
    UserTransaction transaction;

    @Deployment
    static WebArchive application() {
        return Wars.configured(
                Wars.of("queue", Mailroom.class, Letter.class, PostOffice.class),
                "distributed-fallback.schema=create",
                "distributed-fallback.prefix=queue:",
                "distributed-fallback.store.read-timeout=20s",
                "distributed-fallback.store.write-timeout=20s",
                "distributed-fallback.default.failure-threshold=1000",
                "QueueWhenOpen/backoff=100ms",
                "QueueWhenOpen/rate=1000");
    }

    @BeforeEach
    void keep_away() {
        force("post", true);
    }

    @AfterEach
    void leave_nothing() throws Exception {
        if (transaction.getStatus() != STATUS_NO_TRANSACTION) {
            transaction.rollback();
        }
        mailroom.down(false);
        try (Connection connection = database.getConnection();
                PreparedStatement delete = connection.prepareStatement("DELETE FROM distributed_queued_call")) {
            delete.execute();
        }
    }

    private void force(String breaker, boolean open) {
        BreakerStatus unused = open
                ? breakers.get(breaker).forceOpen("test", "a test")
                : breakers.get(breaker).forceClosed("test", "a test");
    }

    private int stored() throws SQLException {
        try (Connection connection = database.getConnection();
                PreparedStatement count = connection.prepareStatement("SELECT count(*) FROM distributed_queued_call");
                ResultSet rows = count.executeQuery()) {
            rows.next();
            return rows.getInt(1);
        }
    }

    @Test
    void without_a_transaction_the_call_is_stored_at_once_and_made_when_the_breaker_has_closed() throws Exception {
        mailroom.send("anna", LETTER);
        assertEquals(1, stored());
        force("post", false);
        assertEquals(
                "anna " + LETTER + ", attempt 1, transaction " + STATUS_NO_TRANSACTION,
                mailroom.sent().poll(30, TimeUnit.SECONDS));
        long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(30);
        while (stored() > 0 && System.nanoTime() < end) {
            TimeUnit.MILLISECONDS.sleep(20);
        }
        assertEquals(0, stored());
    }

    @Test
    void a_call_that_is_stored_in_a_transaction_comes_with_its_commit() throws Exception {
        transaction.begin();
        mailroom.send("anna", LETTER);
        transaction.commit();
        assertEquals(1, stored());
    }

    @Test
    void a_call_that_is_stored_in_a_transaction_goes_with_its_rollback() throws Exception {
        transaction.begin();
        mailroom.send("anna", LETTER);
        assertEquals(1, stored());
        transaction.rollback();
        assertEquals(0, stored());
    }

    @Test
    void calls_of_an_enterprise_bean_are_stored_and_made_as_well() throws Exception {
        office.frank("letter");
        assertEquals(1, stored());
        force("post", false);
        assertEquals("franked letter", mailroom.sent().poll(30, TimeUnit.SECONDS));
    }

    @Test
    void a_failing_method_that_joins_the_callers_transaction_takes_the_stored_call_with_it() throws Exception {
        mailroom.down(true);
        transaction.begin();
        mailroom.register("entry");
        assertThrows(RollbackException.class, transaction::commit);
        assertEquals(0, stored());
    }

    @Test
    void a_failing_method_with_a_transaction_of_its_own_is_stored_and_has_one_again_when_it_is_made() throws Exception {
        mailroom.down(true);
        mailroom.register("entry");
        assertEquals(1, stored());
        mailroom.down(false);
        String made = mailroom.sent().poll(30, TimeUnit.SECONDS);
        assertEquals("entry, transaction " + STATUS_ACTIVE, made.replaceAll(", attempt \\d+", ""));
    }
}
