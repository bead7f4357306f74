package io.distributedfallback.it.harness;

import io.zonky.test.db.postgres.embedded.EmbeddedPostgres;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.List;
import java.util.stream.Stream;

/** A real PostgreSQL that can be stopped, frozen and brought back on the same data and the same port. */
public final class Postgres implements AutoCloseable {

    public static final String USER = "postgres";
    public static final String PASSWORD = "postgres";

    private final Path data;
    private final int port;
    private EmbeddedPostgres server;

    private Postgres(Path data, int port) {
        this.data = data;
        this.port = port;
    }

    /** Starts an empty server, with its files where the build keeps its own. */
    public static Postgres empty() {
        Path folder = Places.databases();
        try {
            Files.createDirectories(folder);
            Postgres postgres = new Postgres(Files.createTempDirectory(folder, "data"), FreePort.any());
            postgres.start();
            return postgres;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    public int port() {
        return port;
    }

    /** Starts it again after {@link #stop()}. */
    public synchronized void start() {
        if (server != null) {
            return;
        }
        try {
            server = EmbeddedPostgres.builder()
                    .setDataDirectory(data)
                    .setCleanDataDirectory(false)
                    .setPort(port)
                    // Vacuuming writes: it would spoil the proof that healthy traffic writes nothing.
                    .setServerConfig("autovacuum", "off")
                    .setServerConfig("max_connections", "100")
                    .setPGStartupWait(Duration.ofMinutes(1))
                    .start();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Shuts it down: connections are cut, and new ones are refused. */
    public synchronized void stop() {
        if (server == null) {
            return;
        }
        try {
            server.close();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } finally {
            server = null;
        }
    }

    /** Stops all its processes without ending them: connections hang, and new ones are accepted but never answered. */
    public void freeze() {
        signal("STOP");
    }

    /** Lets them go on. */
    public void thaw() {
        signal("CONT");
    }

    private void signal(String name) {
        for (ProcessHandle process : processes()) {
            try {
                int code = new ProcessBuilder("kill", "-" + name, Long.toString(process.pid()))
                        .start()
                        .waitFor();
                // A backend may end by itself meanwhile.
                if (code != 0 && process.isAlive()) {
                    throw new IllegalStateException("kill -" + name + " ended with " + code);
                }
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
                throw new IllegalStateException(e);
            }
        }
    }

    private List<ProcessHandle> processes() {
        try {
            long postmaster = Long.parseLong(
                    Files.readAllLines(data.resolve("postmaster.pid")).get(0).strip());
            ProcessHandle handle = ProcessHandle.of(postmaster)
                    .orElseThrow(() -> new IllegalStateException("no process " + postmaster));
            // The postmaster first, so that it cannot start another backend while the others are being stopped.
            return Stream.concat(Stream.of(handle), handle.descendants()).toList();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Runs statements that give no rows. */
    public void execute(String database, String... statements) {
        try (Connection connection = connect(database);
                Statement statement = connection.createStatement()) {
            for (String sql : statements) {
                statement.execute(sql);
            }
        } catch (SQLException e) {
            throw new IllegalStateException(e);
        }
    }

    /** Asks for one value; null if there is no row. */
    public <T> T ask(String database, Class<T> type, String sql, Object... parameters) {
        try (Connection connection = connect(database);
                PreparedStatement statement = connection.prepareStatement(sql)) {
            for (int i = 0; i < parameters.length; i++) {
                statement.setObject(i + 1, parameters[i]);
            }
            try (ResultSet rows = statement.executeQuery()) {
                return rows.next() ? rows.getObject(1, type) : null;
            }
        } catch (SQLException e) {
            throw new IllegalStateException(e);
        }
    }

    private Connection connect(String database) throws SQLException {
        return DriverManager.getConnection(
                "jdbc:postgresql://127.0.0.1:" + port + "/" + database + "?connectTimeout=5&socketTimeout=10",
                USER,
                PASSWORD);
    }

    @Override
    public void close() {
        stop();
    }
}
