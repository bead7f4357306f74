package io.distributedfallback.it.ladder;

import io.distributedfallback.it.harness.Eventually;
import io.distributedfallback.it.harness.Postgres;
import io.distributedfallback.it.ladder.app.Call;
import io.distributedfallback.it.ladder.app.Instance;
import io.distributedfallback.it.light.Names;
import java.io.BufferedInputStream;
import java.io.DataInputStream;
import java.io.File;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;

/** An instance in a process of its own. */
final class RunningInstance implements AutoCloseable {

    private static final Path FOLDER = Path.of("target", "ladder");
    private static final Duration PATIENCE = Duration.ofMinutes(1);

    private final Process process;
    private final Path log;
    private final Path calls;

    private RunningInstance(Process process, Path log, Path calls) {
        this.process = process;
        this.log = log;
        this.calls = calls;
    }

    static RunningInstance start(int number, int rate, int redis, int postgres) {
        try {
            Files.createDirectories(FOLDER);
            Path log = FOLDER.resolve("instance-" + number + ".log");
            Path calls = FOLDER.resolve("instance-" + number + ".calls");
            Files.deleteIfExists(calls);
            String database = "jdbc:postgresql://127.0.0.1:" + postgres + "/" + Story.DATABASE + "?user="
                    + Postgres.USER + "&password=" + Postgres.PASSWORD;
            Process process = new ProcessBuilder(
                            Path.of(System.getProperty("java.home"), "bin", "java")
                                    .toString(),
                            "-Xmx256m",
                            "-XX:+UseSerialGC",
                            "-cp",
                            System.getProperty("java.class.path"),
                            "-Djava.naming.factory.initial=" + Names.class.getName(),
                            "-Djava.util.logging.config.file="
                                    + System.getProperty("java.util.logging.config.file", ""),
                            "-Dstory.redis=" + redis,
                            "-D" + Names.DATABASE_URL + "=" + database,
                            "-Ddistributed-fallback.schema=create",
                            "-Ddistributed-fallback.instance-id=instance " + number,
                            Instance.class.getName(),
                            Integer.toString(number),
                            Integer.toString(rate),
                            calls.toString())
                    .redirectErrorStream(true)
                    .redirectOutput(log.toFile())
                    .start();
            return new RunningInstance(process, log, calls);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    void awaitReady() {
        Eventually.until("an instance has started: " + log, PATIENCE, () -> {
            return said().contains(Instance.READY) || !process.isAlive();
        });
        if (!process.isAlive()) {
            throw new IllegalStateException(said());
        }
    }

    private String said() {
        try {
            return Files.readString(log);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    void letVisitorsCome() {
        say();
    }

    /** Ends it, and has what its visitors met with. */
    List<Call> end() {
        say();
        try {
            if (!process.waitFor(PATIENCE.toSeconds(), TimeUnit.SECONDS) || process.exitValue() != 0) {
                throw new IllegalStateException("an instance did not end well: " + said());
            }
            return read(calls.toFile());
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException(e);
        }
    }

    private void say() {
        try {
            process.getOutputStream().write("go on\n".getBytes(StandardCharsets.UTF_8));
            process.getOutputStream().flush();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static List<Call> read(File file) throws IOException {
        try (DataInputStream in = new DataInputStream(new BufferedInputStream(Files.newInputStream(file.toPath())))) {
            int count = in.readInt();
            List<Call> calls = new ArrayList<>(count);
            for (int i = 0; i < count; i++) {
                calls.add(Call.read(in));
            }
            return calls;
        }
    }

    @Override
    public void close() {
        process.destroyForcibly();
    }
}
