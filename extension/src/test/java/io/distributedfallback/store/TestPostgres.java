package io.distributedfallback.store;

import io.zonky.test.db.postgres.embedded.EmbeddedPostgres;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import javax.sql.DataSource;
import org.postgresql.ds.PGSimpleDataSource;

/**
 * A database of its own on the one PostgreSQL that the test JVM starts. With {@code -Dpostgres.port=5414} it is one that
 * runs on this machine already, of another version say, and lets the user {@code postgres} in without a password.
 */
public final class TestPostgres {

    private static final AtomicInteger DATABASES = new AtomicInteger();

    private final String database;
    private final PGSimpleDataSource superuser;
    private Connection connection;

    private TestPostgres(String database) {
        this.database = database;
        superuser = login("postgres");
    }

    /** Creates an empty database. */
    public static TestPostgres newDatabase() {
        String name = "test_" + DATABASES.incrementAndGet();
        new TestPostgres("postgres").execute("CREATE DATABASE " + name);
        return new TestPostgres(name);
    }

    /** Takes away whatever a test left. */
    public void empty() {
        execute("DROP SCHEMA IF EXISTS stepped CASCADE; DROP SCHEMA public CASCADE; CREATE SCHEMA public;"
                + " GRANT USAGE, CREATE ON SCHEMA public TO PUBLIC");
    }

    /** A new connection for each request, with the driver's settings. */
    public DataSource dataSource() {
        return superuser;
    }

    /** The same for another role. */
    public PGSimpleDataSource login(String role) {
        PGSimpleDataSource login = new PGSimpleDataSource();
        login.setServerNames(new String[] {"localhost"});
        login.setPortNumbers(new int[] {Server.PORT});
        login.setDatabaseName(database);
        login.setUser(role);
        return login;
    }

    /** Runs statements. */
    public synchronized void execute(String sql) {
        try (Statement statement = connection().createStatement()) {
            statement.execute(sql);
        } catch (SQLException failure) {
            throw new IllegalStateException(sql, failure);
        }
    }

    /** Asks for lines, each as its columns joined by a blank. */
    public synchronized List<String> query(String sql) {
        try (Statement statement = connection().createStatement();
                ResultSet result = statement.executeQuery(sql)) {
            List<String> lines = new ArrayList<>();
            while (result.next()) {
                List<String> columns = new ArrayList<>();
                for (int i = 1; i <= result.getMetaData().getColumnCount(); i++) {
                    columns.add(result.getString(i));
                }
                lines.add(String.join(" ", columns));
            }
            return lines;
        } catch (SQLException failure) {
            throw new IllegalStateException(sql, failure);
        }
    }

    /** Asks until the answer is true. */
    public void await(String question) {
        long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(30);
        while (!query(question).equals(List.of("t"))) {
            if (System.nanoTime() > end) {
                throw new IllegalStateException("never true: " + question);
            }
            Thread.onSpinWait();
        }
    }

    /** Waits until a session waits for a lock. */
    public void awaitWaiter() {
        await("SELECT count(*) = 1 FROM pg_stat_activity WHERE wait_event_type = 'Lock'"
                + " AND datname = current_database()");
    }

    private Connection connection() throws SQLException {
        if (connection == null) {
            connection = superuser.getConnection();
        }
        return connection;
    }

    private static final class Server {
        static final int PORT = port();

        private static int port() {
            Integer given = Integer.getInteger("postgres.port");
            return given == null ? start() : given;
        }

        private static int start() {
            try {
                return EmbeddedPostgres.builder()
                        .setServerConfig("max_connections", "200")
                        .start()
                        .getPort();
            } catch (IOException failure) {
                throw new UncheckedIOException(failure);
            }
        }
    }
}
