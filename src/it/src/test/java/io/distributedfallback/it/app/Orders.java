package io.distributedfallback.it.app;

import io.distributedfallback.DistributedFallback;
import io.distributedfallback.Probe;
import jakarta.annotation.Resource;
import jakarta.enterprise.context.ApplicationScoped;
import jakarta.inject.Inject;
import jakarta.transaction.TransactionSynchronizationRegistry;
import jakarta.transaction.Transactional;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import javax.sql.DataSource;

/** Business work: a row of its own and a call to the provider in one transaction. */
@ApplicationScoped
public class Orders {

    @Resource(lookup = "java:comp/DefaultDataSource")
    DataSource database;

    @Resource(lookup = "java:comp/TransactionSynchronizationRegistry")
    TransactionSynchronizationRegistry transaction;

    @Inject
    Gateway provider;

    @Transactional
    @DistributedFallback(breaker = "orders", fallbackMethod = "later")
    public String place(String order) throws SQLException {
        try (Connection connection = database.getConnection();
                PreparedStatement insert = connection.prepareStatement("INSERT INTO orders (id) VALUES (?)")) {
            insert.setString(1, order);
            insert.executeUpdate();
        }
        return provider.visit("orders");
    }

    String later(String order) {
        return "fallback in transaction status " + transaction.getTransactionStatus();
    }

    @Probe("orders")
    void probe() {
        provider.probe("orders");
    }
}
