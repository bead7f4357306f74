package io.distributedfallback.it.harness;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.ProcessBuilder.Redirect;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.stream.Stream;

/** A real Redis that keeps nothing on disk, and can be killed, frozen and started again on the same port. */
public final class Redis implements AutoCloseable {

    private static final Duration LONGEST_START = Duration.ofSeconds(20);
    private static final String MISSING =
            "there is no redis-server. On Debian: apt-get install redis-server. Elsewhere say where it is in the environment"
                    + " variable REDIS_SERVER";

    private final int port = FreePort.any();
    private Process server;

    private Redis() {}

    public static Redis empty() {
        Redis redis = new Redis();
        redis.start();
        return redis;
    }

    public int port() {
        return port;
    }

    /** Starts it, with nothing in it. */
    public void start() {
        try {
            server = new ProcessBuilder(
                            find(),
                            "--bind",
                            "127.0.0.1",
                            "--port",
                            Integer.toString(port),
                            "--save",
                            "",
                            "--appendonly",
                            "no",
                            "--daemonize",
                            "no")
                    .redirectErrorStream(true)
                    .redirectOutput(Redirect.DISCARD)
                    .start();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        Eventually.until("Redis listens", LONGEST_START, this::isListening);
    }

    private boolean isListening() throws IOException {
        try (Socket socket = new Socket()) {
            socket.connect(new InetSocketAddress(InetAddress.getLoopbackAddress(), port), 1_000);
            return true;
        }
    }

    private static String find() {
        return Stream.of(
                        Optional.ofNullable(System.getenv("REDIS_SERVER")),
                        Optional.of("/usr/bin/redis-server"),
                        Optional.of("/usr/local/bin/redis-server"))
                .flatMap(Optional::stream)
                .filter(path -> Files.isExecutable(Path.of(path)))
                .findFirst()
                .orElseThrow(() -> new IllegalStateException(MISSING));
    }

    /** As {@code kill -9} does: connections break, new ones are refused, and all that it knew is gone. */
    public void kill() {
        CompletableFuture<?> ended = server.onExit();
        server.destroyForcibly();
        ended.join();
    }

    /** Stops it without ending it: connections hang, and new ones are accepted by the system and never answered. */
    public void freeze() {
        signal("STOP");
    }

    /** Lets it go on. */
    public void thaw() {
        signal("CONT");
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
        if (server.isAlive()) {
            kill();
        }
    }
}
