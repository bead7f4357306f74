package io.distributedfallback.it.container;

import io.distributedfallback.BreakerPolicy;
import io.distributedfallback.DistributedFallback;
import jakarta.annotation.Resource;
import jakarta.enterprise.context.ApplicationScoped;
import jakarta.transaction.TransactionSynchronizationRegistry;
import jakarta.transaction.Transactional;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import javax.sql.DataSource;

/** Business work in a transaction that a failing provider spoils. */
@ApplicationScoped
@BreakerPolicy(breaker = "ledger", failureThreshold = 1000)
@BreakerPolicy(breaker = "plain", failureThreshold = 1000)
public class Ledger {

    @Resource(lookup = "java:comp/DefaultDataSource")
    DataSource database;

    @Resource(lookup = "java:comp/TransactionSynchronizationRegistry")
    TransactionSynchronizationRegistry transaction;

    /** Writes, then fails; answers with the status of the transaction that the fallback runs in. */
    @Transactional
    @DistributedFallback(breaker = "ledger", fallbackMethod = "statusOfTransaction")
    public int book(String entry) throws SQLException {
        try (Connection connection = database.getConnection();
                PreparedStatement insert = connection.prepareStatement("INSERT INTO ledger (entry) VALUES (?)")) {
            insert.setString(1, entry);
            insert.executeUpdate();
        }
        throw new IllegalStateException("the provider is down");
    }

    int statusOfTransaction(String entry) {
        return transaction.getTransactionStatus();
    }

    /** Fails, in whatever transaction the caller has. */
    @DistributedFallback(breaker = "plain", fallbackMethod = "statusOfCaller")
    public int fail() {
        throw new IllegalStateException("the provider is down");
    }

    int statusOfCaller() {
        return transaction.getTransactionStatus();
    }
}
