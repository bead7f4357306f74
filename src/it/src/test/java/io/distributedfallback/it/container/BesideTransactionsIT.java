package io.distributedfallback.it.container;

import io.distributedfallback.Breakers;
import jakarta.annotation.Resource;
import jakarta.inject.Inject;
import jakarta.transaction.RollbackException;
import jakarta.transaction.UserTransaction;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.UUID;
import javax.sql.DataSource;
import org.jboss.arquillian.container.test.api.Deployment;
import org.jboss.arquillian.junit5.ArquillianExtension;
import org.jboss.shrinkwrap.api.spec.WebArchive;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

import static jakarta.transaction.Status.STATUS_ACTIVE;
import static jakarta.transaction.Status.STATUS_MARKED_ROLLBACK;
import static jakarta.transaction.Status.STATUS_NO_TRANSACTION;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

/** What becomes of the transaction of a guarded method that fails, before its fallback runs, for each TxType. */
@ExtendWith(ArquillianExtension.class)
class BesideTransactionsIT {

    private static final String FAILED = " after IllegalStateException";

    @Inject
    Breakers breakers;

    @Inject
    Bookings bookings;

    @Resource(lookup = "java:comp/DefaultDataSource")
    DataSource database;

    @Resource(lookup = "java:comp/UserTransaction")
    UserTransaction transaction;

    private final String entry = UUID.randomUUID().toString();
    private final String callers = UUID.randomUUID().toString();

    @Deployment
    static WebArchive application() {
        return Wars.configured(
                Wars.of("transactions", Bookings.class),
                "distributed-fallback.store=memory",
                "distributed-fallback.default.failure-threshold=1000");
    }

    @BeforeEach
    void create_the_business_table() throws SQLException {
        try (Connection connection = database.getConnection();
                PreparedStatement create =
                        connection.prepareStatement("CREATE TABLE IF NOT EXISTS booking (entry text)")) {
            create.execute();
        }
    }

    @AfterEach
    void leave_no_transaction() throws Exception {
        if (transaction.getStatus() != STATUS_NO_TRANSACTION) {
            transaction.rollback();
        }
    }

    /** The caller has written something of its own when it makes the guarded call. */
    private void beginCallers() throws Exception {
        transaction.begin();
        bookings.write(callers);
    }

    @Test
    void required_rolls_back_the_transaction_that_it_began_before_the_fallback_runs() throws Exception {
        assertEquals(STATUS_NO_TRANSACTION + FAILED, bookings.required(entry));
        assertFalse(isBooked(entry));
    }

    @Test
    void required_marks_the_callers_transaction_and_the_fallback_runs_in_it() throws Exception {
        beginCallers();
        assertEquals(STATUS_MARKED_ROLLBACK + FAILED, bookings.required(entry));
        assertThrows(RollbackException.class, transaction::commit);
        assertFalse(isBooked(entry));
        assertFalse(isBooked(callers));
    }

    @Test
    void requires_new_rolls_back_its_own_before_the_fallback_runs() throws Exception {
        assertEquals(STATUS_NO_TRANSACTION + FAILED, bookings.requiresNew(entry));
        assertFalse(isBooked(entry));
    }

    @Test
    void requires_new_leaves_the_callers_transaction_alone_and_the_fallback_runs_in_that() throws Exception {
        beginCallers();
        assertEquals(STATUS_ACTIVE + FAILED, bookings.requiresNew(entry));
        transaction.commit();
        assertFalse(isBooked(entry));
        assertTrue(isBooked(callers));
    }

    @Test
    void mandatory_marks_the_callers_transaction_and_the_fallback_runs_in_it() throws Exception {
        beginCallers();
        assertEquals(STATUS_MARKED_ROLLBACK + FAILED, bookings.mandatory(entry));
        assertThrows(RollbackException.class, transaction::commit);
        assertFalse(isBooked(entry));
    }

    @Test
    void mandatory_without_a_transaction_is_our_own_trouble_and_not_the_providers() throws Exception {
        long before = failures("mandatory");
        assertEquals(STATUS_NO_TRANSACTION + " after TransactionalException", bookings.mandatory(entry));
        assertFalse(isBooked(entry));
        assertEquals(before, failures("mandatory"));
    }

    @Test
    void supports_marks_the_callers_transaction_and_the_fallback_runs_in_it() throws Exception {
        beginCallers();
        assertEquals(STATUS_MARKED_ROLLBACK + FAILED, bookings.supports(entry));
        assertThrows(RollbackException.class, transaction::commit);
        assertFalse(isBooked(entry));
    }

    @Test
    void supports_without_a_transaction_has_nothing_to_roll_back() throws Exception {
        assertEquals(STATUS_NO_TRANSACTION + FAILED, bookings.supports(entry));
        assertTrue(isBooked(entry));
    }

    @Test
    void not_supported_has_nothing_to_roll_back_and_the_fallback_runs_in_the_callers() throws Exception {
        beginCallers();
        assertEquals(STATUS_ACTIVE + FAILED, bookings.notSupported(entry));
        transaction.commit();
        assertTrue(isBooked(entry));
        assertTrue(isBooked(callers));
        String other = UUID.randomUUID().toString();
        assertEquals(STATUS_NO_TRANSACTION + FAILED, bookings.notSupported(other));
        assertTrue(isBooked(other));
    }

    @Test
    void never_has_nothing_to_roll_back() throws Exception {
        assertEquals(STATUS_NO_TRANSACTION + FAILED, bookings.never(entry));
        assertTrue(isBooked(entry));
    }

    @Test
    void never_within_a_transaction_is_our_own_trouble_and_leaves_the_callers_as_it_was() throws Exception {
        long before = failures("never");
        beginCallers();
        assertEquals(STATUS_ACTIVE + " after TransactionalException", bookings.never(entry));
        transaction.commit();
        assertFalse(isBooked(entry));
        assertTrue(isBooked(callers));
        assertEquals(before, failures("never"));
    }

    @Test
    void a_checked_exception_commits_before_the_fallback_runs_as_jakarta_transactions_says() throws Exception {
        assertEquals(STATUS_NO_TRANSACTION + " after IOException", bookings.checked(entry));
        assertTrue(isBooked(entry));
        assertEquals(1, failures("checked"));
    }

    @Test
    void rollback_on_names_the_checked_exceptions_that_roll_back() throws Exception {
        assertEquals(STATUS_NO_TRANSACTION + " after IOException", bookings.rollbackOn(entry));
        assertFalse(isBooked(entry));
    }

    @Test
    void dont_rollback_on_commits_before_the_fallback_runs() throws Exception {
        assertEquals(STATUS_NO_TRANSACTION + FAILED, bookings.dontRollbackOn(entry));
        assertTrue(isBooked(entry));
        assertTrue(failures("don't roll back") > 0);
    }

    @Test
    void dont_rollback_on_leaves_the_callers_transaction_alone() throws Exception {
        beginCallers();
        assertEquals(STATUS_ACTIVE + FAILED, bookings.dontRollbackOn(entry));
        transaction.commit();
        assertTrue(isBooked(entry));
        assertTrue(isBooked(callers));
    }

    private int failures(String breaker) {
        return breakers.get(breaker).status().standing().consecutiveFailures();
    }

    private boolean isBooked(String wanted) throws SQLException {
        try (Connection connection = database.getConnection();
                PreparedStatement query = connection.prepareStatement("SELECT 1 FROM booking WHERE entry = ?")) {
            query.setString(1, wanted);
            try (ResultSet rows = query.executeQuery()) {
                return rows.next();
            }
        }
    }
}
