package io.distributedfallback.it.harness;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.stream.Stream;

/** A real PgBouncer in transaction mode before a PostgreSQL. It can be killed and started again, and told to pause. */
public final class PgBouncer implements AutoCloseable {

    private static final Duration LONGEST_START = Duration.ofSeconds(20);
    private static final String MISSING =
            "there is no pgbouncer. On Debian: apt-get install pgbouncer. Elsewhere say where it is in the environment"
                    + " variable PGBOUNCER";

    private final int port = FreePort.any();
    private final Path folder;
    private final Path log;
    private Process server;

    /**
     * Starts it.
     *
     * @param postgres the port of the database
     * @param connections that it opens to that at most
     * @param log where it writes
     */
    public PgBouncer(int postgres, int connections, Path log) {
        this.log = log;
        try {
            // It does not run as root, and has to read this as somebody else.
            folder = Files.createTempDirectory("pgbouncer");
            Files.setPosixFilePermissions(folder, PosixFilePermissions.fromString("rwxr-xr-x"));
            Files.writeString(settings(), """
                    [databases]
                    postgres = host=127.0.0.1 port=%d dbname=postgres user=%s
                    [pgbouncer]
                    listen_addr = 127.0.0.1
                    listen_port = %d
                    unix_socket_dir =
                    auth_type = any
                    pool_mode = transaction
                    default_pool_size = %d
                    server_connect_timeout = 2
                    server_login_retry = 1
                    ignore_startup_parameters = extra_float_digits
                    """.formatted(postgres, Postgres.USER, port, connections));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        try {
            start();
        } catch (RuntimeException | Error e) {
            close();
            throw e;
        }
    }

    private Path settings() {
        return folder.resolve("pgbouncer.ini");
    }

    public int port() {
        return port;
    }

    /** Starts it again after {@link #kill()}. */
    public void start() {
        try {
            Files.createDirectories(log.toAbsolutePath().getParent());
            server = new ProcessBuilder(command())
                    .redirectErrorStream(true)
                    .redirectOutput(ProcessBuilder.Redirect.appendTo(log.toFile()))
                    .start();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        Eventually.until("PgBouncer listens: " + log, LONGEST_START, this::isListening);
    }

    private List<String> command() {
        List<String> command = new ArrayList<>();
        if (System.getProperty("user.name").equals("root")) {
            command.addAll(List.of("setpriv", "--reuid", "65534", "--regid", "65534", "--clear-groups"));
        }
        command.addAll(List.of(find(), settings().toString()));
        return command;
    }

    private static String find() {
        return Stream.of(
                        Optional.ofNullable(System.getenv("PGBOUNCER")),
                        Optional.of("/usr/sbin/pgbouncer"),
                        Optional.of("/usr/local/bin/pgbouncer"))
                .flatMap(Optional::stream)
                .filter(path -> Files.isExecutable(Path.of(path)))
                .findFirst()
                .orElseThrow(() -> new IllegalStateException(MISSING));
    }

    private boolean isListening() throws IOException {
        try (Socket socket = new Socket()) {
            socket.connect(new InetSocketAddress(InetAddress.getLoopbackAddress(), port), 1_000);
            return true;
        }
    }

    /** {@code kill -9}: connections break, and new ones are refused. */
    public void kill() {
        CompletableFuture<?> ended = server.onExit();
        server.destroyForcibly();
        ended.join();
    }

    /** As {@code PAUSE} on its console does: it lets transactions end and lets none begin. */
    public void pause() {
        signal("USR1");
    }

    /** As {@code RESUME} on its console does. */
    public void resume() {
        signal("USR2");
    }

    private void signal(String name) {
        try {
            int code = new ProcessBuilder("kill", "-" + name, Long.toString(server.pid()))
                    .start()
                    .waitFor();
            if (code != 0) {
                throw new IllegalStateException("kill -" + name + " ended with " + code);
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException(e);
        }
    }

    @Override
    public void close() {
        if (server != null && server.isAlive()) {
            kill();
        }
        try {
            Files.deleteIfExists(settings());
            Files.deleteIfExists(folder);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
