package io.distributedfallback.it.faults;

import io.distributedfallback.it.harness.Postgres;
import io.zonky.test.db.postgres.embedded.EmbeddedPostgres;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.Comparator;
import java.util.List;
import java.util.stream.Stream;

/** A server on a folder of its own, one of two. It keeps what it has acknowledged. */
final class PostgresServer implements AutoCloseable {

    private final Path data;
    private final int port;
    private final EmbeddedPostgres server;

    private PostgresServer(Path data, int port, EmbeddedPostgres server) {
        this.data = data;
        this.port = port;
        this.server = server;
    }

    /**
     * Starts one.
     *
     * @param data an empty folder, or what another server had
     */
    static PostgresServer start(Path data, int port) {
        try {
            return new PostgresServer(
                    data,
                    port,
                    EmbeddedPostgres.builder()
                            .setDataDirectory(data)
                            .setCleanDataDirectory(false)
                            .setPort(port)
                            .setServerConfig("fsync", "on")
                            .setServerConfig("synchronous_commit", "on")
                            .setServerConfig("autovacuum", "off")
                            .setServerConfig("max_connections", "100")
                            // A standby may be slow to come, and must find what has been written since it was copied.
                            .setServerConfig("wal_keep_size", "256MB")
                            .setServerConfig("hot_standby", "on")
                            .setPGStartupWait(Duration.ofMinutes(1))
                            .start());
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    Path data() {
        return data;
    }

    int port() {
        return port;
    }

    Connection connect() throws SQLException {
        return DriverManager.getConnection(
                "jdbc:postgresql://127.0.0.1:" + port + "/postgres?connectTimeout=5&socketTimeout=20",
                Postgres.USER,
                Postgres.PASSWORD);
    }

    void execute(String... statements) throws SQLException {
        try (Connection connection = connect();
                Statement statement = connection.createStatement()) {
            for (String sql : statements) {
                statement.execute(sql);
            }
        }
    }

    /** The first value of the first row. */
    String ask(String question) throws SQLException {
        try (Connection connection = connect();
                Statement statement = connection.createStatement();
                ResultSet rows = statement.executeQuery(question)) {
            return rows.next() ? rows.getString(1) : "";
        }
    }

    /** {@code kill -9} of all its processes: none can say a last word, to a client or to a standby. */
    void kill() throws IOException, InterruptedException {
        List<ProcessHandle> processes = processes();
        signal("STOP", processes);
        signal("KILL", processes);
        for (ProcessHandle process : processes) {
            process.onExit().join();
        }
    }

    /** Stops all its processes without ending them. */
    void freeze() throws IOException, InterruptedException {
        signal("STOP", processes());
    }

    void thaw() throws IOException, InterruptedException {
        signal("CONT", processes());
    }

    private List<ProcessHandle> processes() throws IOException {
        long postmaster = Long.parseLong(
                Files.readAllLines(data.resolve("postmaster.pid")).get(0).strip());
        return ProcessHandle.of(postmaster).stream()
                // It first, so that it cannot start another one meanwhile.
                .flatMap(handle -> Stream.concat(Stream.of(handle), handle.descendants()))
                .toList();
    }

    private static void signal(String name, List<ProcessHandle> processes) throws IOException, InterruptedException {
        for (ProcessHandle process : processes) {
            int code = new ProcessBuilder("kill", "-" + name, Long.toString(process.pid()))
                    .start()
                    .waitFor();
            if (code != 0 && process.isAlive()) {
                throw new IllegalStateException("kill -" + name + " ended with " + code);
            }
        }
    }

    /** Ends it and removes its files. */
    @Override
    public void close() {
        try {
            server.close();
            try (Stream<Path> files = Files.walk(data)) {
                for (Path file : files.sorted(Comparator.reverseOrder()).toList()) {
                    Files.deleteIfExists(file);
                }
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
