package io.distributedfallback.store;

import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import javax.sql.DataSource;

/** Keeps connections, each prepared by a statement when it is opened, so that a race is not one of logging in. */
final class TestPool extends TestDataSource implements AutoCloseable {

    private final DataSource source;
    private final String preparation;
    private final Queue<Connection> idle = new ConcurrentLinkedQueue<>();

    TestPool(DataSource source, String preparation) {
        this.source = source;
        this.preparation = preparation;
    }

    @Override
    public Connection getConnection() throws SQLException {
        Connection kept = idle.poll();
        return lend(kept == null ? open() : kept);
    }

    private Connection open() throws SQLException {
        Connection connection = source.getConnection();
        if (!preparation.isEmpty()) {
            try (Statement statement = connection.createStatement()) {
                statement.execute(preparation);
            }
        }
        return connection;
    }

    private Connection lend(Connection connection) {
        return (Connection) Proxy.newProxyInstance(
                getClass().getClassLoader(), new Class<?>[] {Connection.class}, (proxy, method, arguments) -> {
                    if (method.getName().equals("close")) {
                        takeBack(connection);
                        return null;
                    }
                    try {
                        return method.invoke(connection, arguments);
                    } catch (InvocationTargetException thrown) {
                        throw thrown.getCause();
                    }
                });
    }

    private void takeBack(Connection connection) throws SQLException {
        if (connection.isClosed()) {
            return;
        }
        if (!connection.getAutoCommit()) {
            connection.rollback();
            connection.setAutoCommit(true);
        }
        idle.add(connection);
    }

    /** How many connections wait to be lent. */
    int idle() {
        return idle.size();
    }

    @Override
    public void close() throws SQLException {
        for (Connection connection = idle.poll(); connection != null; connection = idle.poll()) {
            connection.close();
        }
    }
}
