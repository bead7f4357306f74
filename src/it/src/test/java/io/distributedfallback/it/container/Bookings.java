package io.distributedfallback.it.container;

import io.distributedfallback.DistributedFallback;
import jakarta.annotation.Resource;
import jakarta.enterprise.context.ApplicationScoped;
import jakarta.transaction.TransactionSynchronizationRegistry;
import jakarta.transaction.Transactional;
import jakarta.transaction.Transactional.TxType;
import java.io.IOException;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import javax.sql.DataSource;

/** A guarded method for each kind of transaction: writes, then fails. The fallback tells what it runs in. */
@ApplicationScoped
public class Bookings {

    @Resource(lookup = "java:comp/DefaultDataSource")
    DataSource database;

    @Resource(lookup = "java:comp/TransactionSynchronizationRegistry")
    TransactionSynchronizationRegistry transaction;

    @Transactional(TxType.REQUIRED)
    @DistributedFallback(breaker = "required", fallbackMethod = "status")
    public String required(String entry) throws SQLException {
        throw failAfter(entry);
    }

    @Transactional(TxType.REQUIRES_NEW)
    @DistributedFallback(breaker = "requires new", fallbackMethod = "status")
    public String requiresNew(String entry) throws SQLException {
        throw failAfter(entry);
    }

    @Transactional(TxType.MANDATORY)
    @DistributedFallback(breaker = "mandatory", fallbackMethod = "status")
    public String mandatory(String entry) throws SQLException {
        throw failAfter(entry);
    }

    @Transactional(TxType.SUPPORTS)
    @DistributedFallback(breaker = "supports", fallbackMethod = "status")
    public String supports(String entry) throws SQLException {
        throw failAfter(entry);
    }

    @Transactional(TxType.NOT_SUPPORTED)
    @DistributedFallback(breaker = "not supported", fallbackMethod = "status")
    public String notSupported(String entry) throws SQLException {
        throw failAfter(entry);
    }

    @Transactional(TxType.NEVER)
    @DistributedFallback(breaker = "never", fallbackMethod = "status")
    public String never(String entry) throws SQLException {
        throw failAfter(entry);
    }

    @Transactional
    @DistributedFallback(breaker = "checked", fallbackMethod = "status")
    public String checked(String entry) throws SQLException, IOException {
        write(entry);
        throw new IOException("HTTP 503");
    }

    @Transactional(rollbackOn = IOException.class)
    @DistributedFallback(breaker = "rollback on", fallbackMethod = "status")
    public String rollbackOn(String entry) throws SQLException, IOException {
        write(entry);
        throw new IOException("HTTP 503");
    }

    @Transactional(dontRollbackOn = IllegalStateException.class)
    @DistributedFallback(breaker = "don't roll back", fallbackMethod = "status")
    public String dontRollbackOn(String entry) throws SQLException {
        throw failAfter(entry);
    }

    String status(String entry, Throwable failure) {
        return transaction.getTransactionStatus() + " after "
                + failure.getClass().getSimpleName();
    }

    private IllegalStateException failAfter(String entry) throws SQLException {
        write(entry);
        return new IllegalStateException("the provider is down");
    }

    void write(String entry) throws SQLException {
        try (Connection connection = database.getConnection();
                PreparedStatement insert = connection.prepareStatement("INSERT INTO booking (entry) VALUES (?)")) {
            insert.setString(1, entry);
            insert.executeUpdate();
        }
    }
}
