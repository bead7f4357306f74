package io.distributedfallback.benchmarks.store;

import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;
import io.distributedfallback.core.SchemaMode;
import io.distributedfallback.store.JpaBreakerStore;
import io.distributedfallback.store.JpaStoreSettings;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;

/** Connections to one database, and the store on them, as an application has them. */
final class Pool implements AutoCloseable {

    /** How long a statement, and whoever waits for it, may take before it is given up. */
    static final Duration PATIENCE = Duration.ofSeconds(30);

    private final HikariDataSource connections;
    private final JpaBreakerStore store;

    /**
     * Opens nothing yet.
     *
     * @param url of the database
     * @param size the most connections
     * @param instance the id with which the store writes
     */
    Pool(String url, int size, String instance) {
        HikariConfig config = new HikariConfig();
        config.setJdbcUrl(url);
        config.setMaximumPoolSize(size);
        config.setPoolName(instance);
        connections = new HikariDataSource(config);
        store = new JpaBreakerStore(
                new JpaStoreSettings(() -> connections, instance, SchemaMode.CREATE, "", instance, PATIENCE));
    }

    JpaBreakerStore store() {
        return store;
    }

    /** A number that a query of somebody else answers with; 0 if it answers with nothing. */
    long number(String sql) throws SQLException {
        try (Connection connection = connections.getConnection();
                Statement statement = connection.createStatement();
                ResultSet answer = statement.executeQuery(sql)) {
            return answer.next() ? answer.getLong(1) : 0;
        }
    }

    void execute(String sql) throws SQLException {
        try (Connection connection = connections.getConnection();
                Statement statement = connection.createStatement()) {
            statement.execute(sql);
        }
    }

    @Override
    public void close() {
        store.close();
        connections.close();
    }
}
