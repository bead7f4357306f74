package io.distributedfallback.sample;

import io.zonky.test.db.postgres.embedded.EmbeddedPostgres;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.util.Map;

/**
 * The database that the sample uses: the one that {@code DB_URL}, {@code DB_USER} and {@code DB_PASSWORD} name, or else
 * an embedded PostgreSQL, whose data outlive it, so that a breaker that was open is open after a restart.
 */
final class Database implements AutoCloseable {

    private static final String USER = "postgres";

    private final String url;
    private final String user;
    private final String password;
    private final EmbeddedPostgres embedded;

    private Database(String url, String user, String password, EmbeddedPostgres embedded) {
        this.url = url;
        this.user = user;
        this.password = password;
        this.embedded = embedded;
    }

    static Database of(Map<String, String> environment, Path directory) {
        return environment.containsKey("DB_URL") ? given(environment) : embedded(directory);
    }

    static Database embedded(Path directory) {
        try {
            // it must not stop on its own at the JVM's end: the server that uses it has to stop first
            EmbeddedPostgres postgres = EmbeddedPostgres.builder()
                    .setDataDirectory(directory.resolve("data"))
                    .setOverrideWorkingDirectory(directory.resolve("binaries").toFile())
                    .setCleanDataDirectory(false)
                    .setRegisterShutdownHook(false)
                    .start();
            return new Database(postgres.getJdbcUrl(USER, USER).replaceFirst("\\?.*", ""), USER, "", postgres);
        } catch (IOException e) {
            throw new UncheckedIOException(
                    "The embedded PostgreSQL did not start with its data in " + directory
                            + ". If another one still runs on them, stop it; or set DB_URL, DB_USER and DB_PASSWORD.",
                    e);
        }
    }

    private static Database given(Map<String, String> environment) {
        Database database = new Database(
                environment.get("DB_URL"),
                environment.getOrDefault("DB_USER", USER),
                environment.getOrDefault("DB_PASSWORD", ""),
                null);
        try {
            database.connect().close();
            return database;
        } catch (SQLException e) {
            throw new IllegalStateException(
                    "No connection to " + database + " (" + e.getMessage()
                            + "). DB_URL must be a JDBC URL, such as jdbc:postgresql://host:5432/name; see also DB_USER and"
                            + " DB_PASSWORD.",
                    e);
        }
    }

    Connection connect() throws SQLException {
        return DriverManager.getConnection(url, user, password);
    }

    /** What the server's configuration reads from its environment. */
    Map<String, String> environment() {
        return Map.of("DB_URL", url, "DB_USER", user, "DB_PASSWORD", password);
    }

    @Override
    public void close() {
        if (embedded == null) {
            return;
        }
        try {
            embedded.close();
        } catch (IOException e) {
            throw new UncheckedIOException("The embedded PostgreSQL did not stop.", e);
        }
    }

    /** Fit to be printed: without the password, and without parameters, which may hold one. */
    @Override
    public String toString() {
        return (embedded == null ? "" : "embedded PostgreSQL, ") + url.replaceFirst("\\?.*", "") + ", user " + user;
    }
}
