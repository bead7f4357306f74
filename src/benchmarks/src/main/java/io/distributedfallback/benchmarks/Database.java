package io.distributedfallback.benchmarks;

import io.zonky.test.db.postgres.embedded.EmbeddedPostgres;
import java.io.IOException;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;

/** A PostgreSQL of its own, for as long as it is open. */
public final class Database implements AutoCloseable {

    private final EmbeddedPostgres server;

    private Database(EmbeddedPostgres server) {
        this.server = server;
    }

    /** Starts one that forgets all when it is stopped, and whose commits cost nothing. */
    public static Database start() throws IOException {
        return new Database(EmbeddedPostgres.start());
    }

    /**
     * Starts one whose commits are on the disk when they are answered, as in production, and which counts its statements.
     *
     * @param folder for its files; not one in memory, where a commit would cost nothing again
     */
    public static Database durable(Path folder) throws IOException, SQLException {
        Database database = new Database(EmbeddedPostgres.builder()
                .setDataDirectory(folder)
                .setServerConfig("fsync", "on")
                .setServerConfig("synchronous_commit", "on")
                .setServerConfig("full_page_writes", "on")
                .setServerConfig("shared_preload_libraries", "pg_stat_statements")
                .setServerConfig("max_connections", "200")
                .start());
        // Databases that are made from now on have it, too.
        database.execute("template1", "CREATE EXTENSION pg_stat_statements");
        return database;
    }

    /** Its address, with the user. */
    public String url() {
        return url("postgres");
    }

    /** Makes a database in it, and answers its address. */
    public String create(String name) throws SQLException {
        execute("postgres", "CREATE DATABASE " + name);
        return url(name);
    }

    /** What it is, and what it does at a commit. */
    public String describe() throws SQLException {
        try (Connection connection = server.getPostgresDatabase().getConnection();
                Statement statement = connection.createStatement();
                ResultSet answer = statement.executeQuery("SELECT 'PostgreSQL ' || current_setting('server_version')"
                        + " || ' on the same machine, fsync=' || current_setting('fsync')"
                        + " || ', synchronous_commit=' || current_setting('synchronous_commit')")) {
            answer.next();
            return answer.getString(1);
        }
    }

    private String url(String name) {
        return server.getJdbcUrl("postgres", name);
    }

    private void execute(String name, String sql) throws SQLException {
        try (Connection connection = server.getDatabase("postgres", name).getConnection();
                Statement statement = connection.createStatement()) {
            statement.execute(sql);
        }
    }

    @Override
    public void close() throws IOException {
        server.close();
    }
}
