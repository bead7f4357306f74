package io.distributedfallback.it.faults;

import io.distributedfallback.it.harness.Eventually;
import io.distributedfallback.it.harness.FreePort;
import io.distributedfallback.it.harness.Postgres;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;

/** A primary, and a standby that has everything that the primary has acknowledged. Instances know both. */
final class ReplicatedPostgres implements Database {

    private static final Duration PATIENCE = Duration.ofSeconds(30);
    private static final Path FOLDER = Path.of("target", "faults", "replicated").toAbsolutePath();
    private static final String ACCESS = "?user=" + Postgres.USER + "&password=" + Postgres.PASSWORD
            + "&connectTimeout=2&socketTimeout=5&tcpKeepAlive=true";
    private static final String SYNCHRONOUS =
            "SELECT count(*) FROM pg_stat_replication WHERE state = 'streaming' AND sync_state = 'sync'";

    private final int[] ports = {FreePort.any(), FreePort.any()};
    private final String options;
    private volatile PostgresServer primary;
    private volatile PostgresServer standby;

    /**
     * Starts both.
     *
     * @param options of the URL on top of time-outs, such as {@code &targetServerType=primary}
     */
    ReplicatedPostgres(String options) {
        this.options = options;
        try {
            primary = PostgresServer.start(folder(), ports[0]);
            addStandby();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } catch (SQLException e) {
            throw new IllegalStateException(e);
        }
    }

    private static Path folder() throws IOException {
        Files.createDirectories(FOLDER);
        return Files.createTempDirectory(FOLDER, "data");
    }

    PostgresServer primary() {
        return primary;
    }

    PostgresServer standby() {
        return standby;
    }

    /** Makes one, and has commits wait for it from now on. */
    private void addStandby() throws SQLException, IOException {
        Path copy = folder();
        BaseBackup.take(primary, copy);
        standby = PostgresServer.start(copy, primary.port() == ports[0] ? ports[1] : ports[0]);
        primary.execute("ALTER SYSTEM SET synchronous_standby_names = '*'", "SELECT pg_reload_conf()");
        awaitSynchronous();
    }

    /** Waits until commits get through to the standby. */
    void awaitSynchronous() {
        Eventually.until(
                "the standby follows", PATIENCE, () -> primary.ask(SYNCHRONOUS).equals("1"));
    }

    /** Kills the primary: from that moment on nothing can be written. */
    void killPrimary() throws IOException, InterruptedException {
        primary.kill();
    }

    /** Makes the standby the primary; the dead one's files go. */
    void promote() throws SQLException {
        PostgresServer dead = primary;
        standby.execute("SELECT pg_promote(true, 30)");
        primary = standby;
        dead.close();
    }

    /** Puts a new standby in the place of the one that has become the primary. */
    void replaceStandby() throws SQLException, IOException {
        addStandby();
    }

    @Override
    public String url(int place) {
        return "jdbc:postgresql://127.0.0.1:" + ports[0] + ",127.0.0.1:" + ports[1] + "/postgres" + ACCESS + options;
    }

    /** The way to the standby alone, which may be read and not written. */
    String urlOfStandby() {
        return "jdbc:postgresql://127.0.0.1:" + standby.port() + "/postgres" + ACCESS;
    }

    @Override
    public Connection connect() throws SQLException {
        return primary.connect();
    }

    @Override
    public void close() {
        standby.close();
        primary.close();
    }
}
