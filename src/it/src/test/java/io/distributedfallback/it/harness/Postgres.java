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
import java.util.Map;
import java.util.stream.Stream;

/** A real PostgreSQL that can be stopped, frozen and brought back on the same data and the same port. */
public final class Postgres implements AutoCloseable {

    public static final String USER = "postgres";
    public static final String PASSWORD = "postgres";

    private static final Duration DEATH = Duration.ofSeconds(30);

    private final Path data;
    private final int port;
    private final Map<String, String> settings;
    private EmbeddedPostgres server;

    private Postgres(Path data, int port, Map<String, String> settings) {
        this.data = data;
        this.port = port;
        this.settings = settings;
    }

    /** Starts an empty server, with its files where the build keeps its own. */
    public static Postgres empty() {
        return with(Map.of());
    }

    /** The same, with settings of {@code postgresql.conf} on top of those that all have. */
    public static Postgres with(Map<String, String> settings) {
        Path folder = Places.databases();
        try {
            Files.createDirectories(folder);
            Postgres postgres = new Postgres(Files.createTempDirectory(folder, "data"), FreePort.any(), settings);
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
            EmbeddedPostgres.Builder builder = EmbeddedPostgres.builder()
                    .setDataDirectory(data)
                    .setCleanDataDirectory(false)
                    .setPort(port)
                    // Vacuuming writes: it would spoil the proof that healthy traffic writes nothing.
                    .setServerConfig("autovacuum", "off")
                    .setServerConfig("max_connections", "100")
                    .setPGStartupWait(Duration.ofMinutes(1));
            settings.forEach(builder::setServerConfig);
            server = builder.start();
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

    /**
     * {@code kill -9} of all its processes. What it has told the system to write lasts; what it had only in its own memory is
     * lost. To be started again.
     */
    public synchronized void kill() {
        List<ProcessHandle> killed = processes();
        signal(killed, "KILL");
        // A new one refuses to start as long as anybody still has the old one's shared memory.
        Eventually.until(
                "all processes of the database are dead",
                DEATH,
                () -> killed.stream().noneMatch(Postgres::runs));
        stop();
    }

    /** A dead one that nobody has asked about is still in the list of processes. */
    private static boolean runs(ProcessHandle process) {
        try {
            String stat = Files.readString(Path.of("/proc", Long.toString(process.pid()), "stat"));
            return process.isAlive() && !stat.contains(") Z ");
        } catch (IOException gone) {
            return false;
        }
    }

    /** Stops all its processes without ending them: connections hang, and new ones are accepted but never answered. */
    public void freeze() {
        signal(processes(), "STOP");
    }

    /** Lets them go on. */
    public void thaw() {
        signal(processes(), "CONT");
    }

    private static void signal(List<ProcessHandle> processes, String name) {
        for (ProcessHandle process : processes) {
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
