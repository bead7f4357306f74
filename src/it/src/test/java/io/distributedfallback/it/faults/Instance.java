package io.distributedfallback.it.faults;

import io.distributedfallback.it.faults.app.Node;
import io.distributedfallback.it.faults.app.Shop;
import io.distributedfallback.it.harness.Eventually;
import io.distributedfallback.it.light.Names;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;

/** A process of the cluster. */
final class Instance implements AutoCloseable {

    private static final Duration END = Duration.ofSeconds(5);
    private static final Duration PATIENCE = Duration.ofMinutes(1);

    private final Launch launch;
    private final Process process;
    private final Path log;
    private final long startedNanos;
    private final Diary diary;
    private volatile long endedNanos;

    private Instance(Launch launch, Process process, Path log, long startedNanos) {
        this.launch = launch;
        this.process = process;
        this.log = log;
        this.startedNanos = startedNanos;
        this.diary = new Diary(launch.name(), launch.journal());
    }

    /**
     * How one is started.
     *
     * @param name its name, which is no other's
     * @param folder where its journal and its log go
     * @param database the JDBC URL
     * @param provider the URL of the provider
     * @param settings system properties on top of those that all have
     * @param environment variables of the environment
     * @param classPath of the process
     */
    record Launch(
            String name,
            Path folder,
            String database,
            String provider,
            Map<String, String> settings,
            Map<String, String> environment,
            String classPath) {

        Path journal() {
            return folder.resolve(name + ".journal");
        }
    }

    static Instance start(Launch launch) {
        try {
            Path log = launch.folder().resolve(launch.name() + ".log");
            ProcessBuilder builder = new ProcessBuilder(command(launch))
                    .redirectErrorStream(true)
                    .redirectOutput(log.toFile());
            builder.environment().putAll(launch.environment());
            Files.deleteIfExists(launch.journal());
            long now = System.nanoTime();
            return new Instance(launch, builder.start(), log, now);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static List<String> command(Launch launch) {
        List<String> command = new ArrayList<>(List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-Xmx128m",
                "-Xss512k",
                "-XX:+UseSerialGC",
                "-XX:TieredStopAtLevel=1",
                "-cp",
                launch.classPath(),
                "-Djava.naming.factory.initial=" + Names.class.getName(),
                "-D" + Names.DATABASE_URL + "=" + launch.database(),
                "-Dfaults.journal=" + launch.journal(),
                "-Dfaults.provider=" + launch.provider(),
                "-Ddistributed-fallback.instance-id=" + launch.name()));
        launch.settings().forEach((key, value) -> command.add("-D" + key + "=" + value));
        command.add(Node.class.getName());
        return command;
    }

    String name() {
        return launch.name();
    }

    Launch launch() {
        return launch;
    }

    Records.Life life() {
        return new Records.Life(name(), startedNanos, endedNanos);
    }

    boolean isAlive() {
        return process.isAlive();
    }

    void awaitReady() {
        Eventually.until("an instance has started: " + log, PATIENCE, () -> {
            return said().contains(Node.READY) || !process.isAlive();
        });
        if (!process.isAlive() && endedNanos == 0) {
            throw new IllegalStateException(said());
        }
    }

    String said() {
        try {
            return Files.readString(log);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Whether it has read it. */
    boolean knowsDatabase() {
        return diary.ask(pages -> pages.store().stream().anyMatch(Journals.StoreChange::isUp));
    }

    /** Whether it has the database now, as far as it says. */
    boolean hasDatabase() {
        return diary.ask(pages -> {
            List<Journals.StoreChange> said = pages.store();
            return !said.isEmpty() && said.get(said.size() - 1).isUp();
        });
    }

    /** How often it has lost it. */
    long losses() {
        return diary.ask(
                pages -> pages.store().stream().filter(change -> !change.isUp()).count());
    }

    /** Whether its visitors have left. */
    boolean isEmpty() {
        return diary.ask(pages -> {
            List<String> visitors = pages.visitors();
            return !visitors.isEmpty() && visitors.get(visitors.size() - 1).equals("gone");
        });
    }

    /** Whether the last visitor of the catalogue, who came after that moment, has had an answer of the provider. */
    boolean isAtProvider(long since) {
        return diary.ask(pages -> {
            List<Journals.Call> calls = pages.calls();
            for (int i = calls.size() - 1; i >= 0; i--) {
                Journals.Call call = calls.get(i);
                if (call.breaker().equals(Shop.CATALOGUE) && call.began() >= since) {
                    return call.outcome().equals(Shop.PRIMARY);
                }
            }
            return false;
        });
    }

    void visitorsCome() {
        say("come");
    }

    /** They have left when the journal says so. */
    void visitorsLeave() {
        say("leave");
    }

    /** Gives an order that its process knows. */
    void say(String order) {
        try {
            process.getOutputStream().write((order + '\n').getBytes(StandardCharsets.UTF_8));
            process.getOutputStream().flush();
        } catch (IOException e) {
            Eventually.until("an instance that does not listen is dead", END, () -> !process.isAlive());
        }
    }

    /** {@code kill -9}. */
    void kill() {
        endedNanos = System.nanoTime();
        process.destroyForcibly();
        try {
            process.waitFor();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    /** SIGSTOP. */
    void freeze() {
        signal("STOP");
    }

    /** SIGCONT. */
    void thaw() {
        signal("CONT");
    }

    private void signal(String name) {
        try {
            int code = new ProcessBuilder("kill", "-" + name, Long.toString(process.pid()))
                    .start()
                    .waitFor();
            if (code != 0 && process.isAlive()) {
                throw new IllegalStateException("kill -" + name + " ended with " + code);
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    /** Ends it in order; kills it if it does not end. */
    @Override
    public void close() {
        if (endedNanos == 0) {
            endedNanos = System.nanoTime();
        }
        try {
            process.getOutputStream().close();
            if (!process.waitFor(10, TimeUnit.SECONDS)) {
                process.destroyForcibly();
            }
        } catch (IOException e) {
            process.destroyForcibly();
        } catch (InterruptedException e) {
            process.destroyForcibly();
            Thread.currentThread().interrupt();
        }
    }
}
