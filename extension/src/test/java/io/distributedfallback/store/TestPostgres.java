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
import java.util.concurrent.atomic.AtomicInteger;
import javax.sql.DataSource;
import org.postgresql.ds.PGSimpleDataSource;

/** A database of its own on the one PostgreSQL that the test JVM starts. */
public final class TestPostgres {

    private static final AtomicInteger DATABASES = new AtomicInteger();

    private final String database;
    private final PGSimpleDataSource superuser;

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

    /** A new connection for each request, with the driver's settings. */
    public DataSource dataSource() {
        return superuser;
    }

    /** The same for another role. */
    public PGSimpleDataSource login(String role) {
        PGSimpleDataSource login = new PGSimpleDataSource();
        login.setServerNames(new String[] {"localhost"});
        login.setPortNumbers(new int[] {Server.POSTGRES.getPort()});
        login.setDatabaseName(database);
        login.setUser(role);
        return login;
    }

    /** Runs statements. */
    public void execute(String sql) {
        try (Connection connection = superuser.getConnection();
                Statement statement = connection.createStatement()) {
            statement.execute(sql);
        } catch (SQLException failure) {
            throw new IllegalStateException(sql, failure);
        }
    }

    /** Asks for lines, each as its columns joined by a blank. */
    public List<String> query(String sql) {
        try (Connection connection = superuser.getConnection();
                Statement statement = connection.createStatement();
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

    private static final class Server {
        static final EmbeddedPostgres POSTGRES = start();

        private static EmbeddedPostgres start() {
            try {
                return EmbeddedPostgres.builder()
                        .setServerConfig("max_connections", "200")
                        .start();
            } catch (IOException failure) {
                throw new UncheckedIOException(failure);
            }
        }
    }
}
