package io.distributedfallback.store;

import java.lang.reflect.InvocationHandler;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.sql.SQLTransientConnectionException;
import java.sql.Statement;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import javax.sql.DataSource;
import org.postgresql.PGConnection;

/** Data sources as they are found in front of PostgreSQL, on which listening is easy, hard or impossible. */
final class ListeningPools {

    private ListeningPools() {}

    /** Where a data source's connections come from. */
    private interface Source {
        Connection get() throws SQLException;
    }

    /** What is different about a connection. */
    private interface Quirk {
        /** Null to go on as usual. */
        Object answer(String method, Object[] arguments) throws Throwable;
    }

    private static DataSource of(Source source) {
        return new TestDataSource() {
            @Override
            public Connection getConnection() throws SQLException {
                return source.get();
            }
        };
    }

    private static <T> T as(Class<T> type, Object target, Quirk quirk) {
        InvocationHandler handler = (proxy, method, arguments) -> {
            Object answer = quirk.answer(method.getName(), arguments);
            if (answer != null) {
                return answer;
            }
            try {
                return method.invoke(target, arguments);
            } catch (InvocationTargetException thrown) {
                throw thrown.getCause();
            }
        };
        return type.cast(Proxy.newProxyInstance(ListeningPools.class.getClassLoader(), new Class<?>[] {type}, handler));
    }

    /** As {@code source}, and its connections begin without autocommit, and are handed back so. */
    static DataSource withoutAutoCommit(DataSource source) {
        return of(() -> {
            Connection connection = source.getConnection();
            connection.setAutoCommit(false);
            return connection;
        });
    }

    /** As {@code source}, and nobody can see which driver it is that made its connections. */
    static DataSource ofAnUnknownDriver(DataSource source) {
        return of(() -> as(
                Connection.class,
                source.getConnection(),
                (method, arguments) -> method.equals("isWrapperFor") ? Boolean.FALSE : null));
    }

    /** As {@code source}, and its connections no longer answer. */
    static DataSource thatWentSilent(DataSource source) {
        return of(() -> as(
                Connection.class,
                source.getConnection(),
                (method, arguments) -> method.equals("isValid") ? Boolean.FALSE : null));
    }

    /** As {@code source}, and its connections cannot be told to listen no more. */
    static DataSource thatCannotForget(DataSource source) {
        return of(() -> {
            Connection connection = source.getConnection();
            return as(
                    Connection.class,
                    connection,
                    (method, arguments) -> method.equals("createStatement")
                            ? as(Statement.class, connection.createStatement(), (called, with) -> {
                                if (called.equals("execute") && with[0].equals("UNLISTEN *")) {
                                    throw new SQLException("canceling statement due to user request", "57014");
                                }
                                return null;
                            })
                            : null);
        });
    }

    /** One connection, and whoever comes second waits for it. */
    static DataSource ofOne(DataSource source, int patienceSeconds) {
        Semaphore free = new Semaphore(1);
        return of(() -> {
            try {
                if (!free.tryAcquire(patienceSeconds, TimeUnit.SECONDS)) {
                    throw new SQLTransientConnectionException("no connection is free");
                }
            } catch (InterruptedException e) {
                throw new SQLTransientConnectionException("interrupted");
            }
            try {
                return as(Connection.class, source.getConnection(), (method, arguments) -> {
                    if (method.equals("close")) {
                        free.release();
                    }
                    return null;
                });
            } catch (SQLException e) {
                free.release();
                throw e;
            }
        });
    }

    /**
     * PgBouncer in transaction mode: each transaction, and outside of one each statement, runs on whatever connection is
     * free; what comes in on one of them while it runs nothing reaches no client.
     */
    static DataSource pooledByTransaction(DataSource source) {
        Queue<Connection> servers = new ConcurrentLinkedQueue<>();
        return of(() -> {
            Connection client = source.getConnection();
            return as(Connection.class, client, (method, arguments) -> {
                if (method.equals("unwrap")) {
                    return client.unwrap(PGConnection.class);
                }
                if (!method.equals("createStatement") && !method.equals("prepareStatement")) {
                    return null;
                }
                Connection server = servers.poll();
                if (server == null) {
                    server = source.getConnection();
                }
                Connection used = server;
                Statement statement = method.equals("createStatement")
                        ? used.createStatement()
                        : used.prepareStatement((String) arguments[0]);
                return as(PreparedStatement.class, statement, (called, with) -> {
                    if (called.equals("close")) {
                        servers.add(used);
                    }
                    return null;
                });
            });
        });
    }
}
