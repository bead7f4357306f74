package io.distributedfallback.store;

import io.distributedfallback.core.StoreException;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import javax.sql.DataSource;

/**
 * Runs single statements by JDBC. Where the calling thread has a transaction, the data source of a server lets them take
 * part in it; where it has none, each commits by itself, also on a connection that does not do so of its own accord. Thread-safe.
 */
final class CallConnections {

    private final DataSource source;
    private final StoreErrors errors;
    private final int timeoutSeconds;

    /** Not known before the first connection was seen. */
    private volatile Isolation isolation = Isolation.UNKNOWN;

    private enum Isolation {
        UNKNOWN,
        READ_COMMITTED,
        ANOTHER
    }

    CallConnections(JpaStoreSettings settings) {
        source = new LazyDataSource(settings.dataSource());
        errors = new StoreErrors(settings.dataSourceName());
        timeoutSeconds = Math.toIntExact(roundedUp(settings.queryTimeout()));
    }

    private static long roundedUp(Duration timeout) {
        return Math.max(1, timeout.plusMillis(999).toSeconds());
    }

    /** Reads a line of an answer. */
    @FunctionalInterface
    interface Line<T> {
        T read(ResultSet line) throws SQLException;
    }

    private interface Use<T> {
        T with(PreparedStatement statement) throws SQLException;
    }

    /** Runs a change as part of whatever the calling thread does, and says how many rows it met. */
    int changeWithCaller(String sql, Object... parameters) {
        return run(false, sql, PreparedStatement::executeUpdate, parameters);
    }

    /** Runs a change by itself: the calling thread must have no transaction. */
    int change(String sql, Object... parameters) {
        return run(true, sql, PreparedStatement::executeUpdate, parameters);
    }

    /** Runs a statement that answers with lines, by itself: the calling thread must have no transaction. */
    <T> List<T> ask(String sql, Line<T> line, Object... parameters) {
        return run(
                true,
                sql,
                statement -> {
                    List<T> lines = new ArrayList<>();
                    try (ResultSet answer = statement.executeQuery()) {
                        while (answer.next()) {
                            lines.add(line.read(answer));
                        }
                    }
                    return lines;
                },
                parameters);
    }

    private <T> T run(boolean alone, String sql, Use<T> use, Object... parameters) {
        try (Connection connection = source.getConnection()) {
            if (alone) {
                wantReadCommitted(connection);
            }
            try (PreparedStatement statement = connection.prepareStatement(sql)) {
                statement.setQueryTimeout(timeoutSeconds);
                for (int i = 0; i < parameters.length; i++) {
                    statement.setObject(i + 1, parameters[i]);
                }
                T result = use.with(statement);
                if (!connection.getAutoCommit() && (alone || !CallersTransaction.isUnderWay())) {
                    connection.commit();
                }
                return result;
            }
        } catch (SQLException failure) {
            throw errors.of(failure);
        } catch (RuntimeException failure) {
            throw failure instanceof StoreException known ? known : errors.of(failure);
        }
    }

    /** Above it, whoever comes second to a row gets 40001. */
    private void wantReadCommitted(Connection connection) throws SQLException {
        if (isolation == Isolation.UNKNOWN) {
            isolation = connection.getTransactionIsolation() == Connection.TRANSACTION_READ_COMMITTED
                    ? Isolation.READ_COMMITTED
                    : Isolation.ANOTHER;
        }
        if (isolation == Isolation.ANOTHER) {
            connection.setTransactionIsolation(Connection.TRANSACTION_READ_COMMITTED);
        }
    }
}
