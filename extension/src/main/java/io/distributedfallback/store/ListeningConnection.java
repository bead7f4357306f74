package io.distributedfallback.store;

import io.distributedfallback.store.DriverNotices.Notice;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.List;

/**
 * A connection that listens. It comes from the application's data source, which may be a pool: so before it goes back it
 * listens to nothing any more, and one of which that is not certain is destroyed instead.
 */
final class ListeningConnection implements AutoCloseable {

    /** In seconds. */
    private static final int LONGEST_CHECK = 5;

    private final Connection connection;
    private final DriverNotices notices;
    private final boolean autoCommit;

    /** What may take long is under way: a statement, or a check. */
    private volatile boolean busy;

    /** @param notices those of the connection */
    ListeningConnection(Connection connection, DriverNotices notices) throws SQLException {
        this.connection = connection;
        this.notices = notices;
        autoCommit = connection.getAutoCommit();
        if (!autoCommit) {
            connection.setAutoCommit(true);
        }
    }

    /** @param channel a plain name: it cannot be bound */
    void listenTo(String channel) throws SQLException {
        execute("LISTEN " + channel);
    }

    /** @param channel a plain name: it cannot be bound */
    void forget(String channel) throws SQLException {
        execute("UNLISTEN " + channel);
    }

    /** Waits for so long at most. */
    List<Notice> await(int millis) throws SQLException {
        return notices.await(millis);
    }

    /** Makes sure that there is still somebody at the other end. */
    void check() throws SQLException {
        if (!answers()) {
            throw new SQLException("the connection does not answer any more", "08006");
        }
    }

    private boolean answers() throws SQLException {
        busy = true;
        try {
            return connection.isValid(LONGEST_CHECK);
        } finally {
            busy = false;
        }
    }

    private void execute(String sql) throws SQLException {
        busy = true;
        try (Statement statement = connection.createStatement()) {
            statement.execute(sql);
        } finally {
            busy = false;
        }
    }

    /** From another thread: ends what may take long. Waiting for notices ends by itself. */
    void stopWaiting() {
        if (busy) {
            abort();
        }
    }

    @Override
    public void close() {
        try (connection) {
            if (!isMute()) {
                abort();
            }
        } catch (SQLException ended) {
            // It is of no use to anybody any more.
        }
    }

    /** Whether it has stopped listening, and has nothing left that somebody else might take for theirs. */
    private boolean isMute() {
        try {
            if (!answers()) {
                return false;
            }
            execute("UNLISTEN *");
            notices.await(-1);
            if (!autoCommit) {
                connection.setAutoCommit(false);
            }
            return true;
        } catch (SQLException | RuntimeException broken) {
            return false;
        }
    }

    private void abort() {
        try {
            connection.abort(Runnable::run);
        } catch (SQLException | RuntimeException | LinkageError notSupported) {
            // Closing it is all that is left to do.
        }
    }
}
