package io.distributedfallback.sample;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.concurrent.TimeUnit;

/**
 * The server as a child process. The JVM is started directly, not through Liberty's script, so that the process that
 * is stopped is the server itself.
 */
final class LibertyServer implements AutoCloseable {

    private static final long SECONDS_TO_STOP = 15;

    private final Process process;
    private final Path log;

    private LibertyServer(Process process, Path log) {
        this.process = process;
        this.log = log;
    }

    /**
     * Starts the server {@code sample}.
     *
     * @param wlp the directory of the runtime
     * @param environment what is added to that of this process
     */
    static LibertyServer start(Path wlp, Map<String, String> environment) {
        Path logs = wlp.resolve("usr/servers/sample/logs");
        ProcessBuilder java = new ProcessBuilder(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "@" + wlp.resolve("lib/platform/java/java9.options"),
                "-Xmx512m",
                "-javaagent:" + wlp.resolve("bin/tools/ws-javaagent.jar"),
                "-jar",
                wlp.resolve("bin/tools/ws-server.jar").toString(),
                "sample");
        java.environment().putAll(environment);
        try {
            Files.createDirectories(logs);
            java.directory(logs.getParent().toFile());
            java.redirectErrorStream(true);
            java.redirectOutput(logs.resolve("console.log").toFile());
            return new LibertyServer(java.start(), logs.resolve("messages.log"));
        } catch (IOException e) {
            throw new UncheckedIOException("Open Liberty could not be started from " + wlp, e);
        }
    }

    boolean runs() {
        return process.isAlive();
    }

    Path log() {
        return log;
    }

    /** Waits until the server has ended, for whatever reason. */
    void await() throws InterruptedException {
        process.waitFor();
    }

    @Override
    public void close() {
        process.destroy();
        try {
            if (!process.waitFor(SECONDS_TO_STOP, TimeUnit.SECONDS)) {
                process.destroyForcibly();
            }
        } catch (InterruptedException e) {
            process.destroyForcibly();
            Thread.currentThread().interrupt();
        }
    }
}
