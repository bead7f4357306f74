package io.distributedfallback.it.harness;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.jboss.shrinkwrap.api.spec.WebArchive;

import static io.distributedfallback.it.harness.Eventually.until;

/** One Open Liberty process, started from the install that all of them share. */
public final class LibertyServer implements AutoCloseable {

    private static final Duration START = Duration.ofMinutes(2);
    private static final Duration STOP = Duration.ofSeconds(20);

    private final LibertyFolder folder;
    private final int port;
    private final Process process;

    private LibertyServer(LibertyFolder folder, int port, Process process) {
        this.folder = folder;
        this.port = port;
        this.process = process;
        // Whatever becomes of the tests, no server outlives them.
        Runtime.getRuntime().addShutdownHook(new Thread(() -> processes().forEach(ProcessHandle::destroyForcibly)));
    }

    /**
     * Starts a server and does not wait for it.
     *
     * @param name its name, unique in the run
     * @param application what it serves, with the context root {@code /app}
     * @param variables of its {@code server.xml}
     * @param properties system properties of its JVM
     */
    public static LibertyServer launch(
            String name, WebArchive application, Map<String, String> variables, Map<String, String> properties) {
        return launch(name, "liberty/cluster-server.xml", application, variables, properties);
    }

    /**
     * As {@link #launch(String, WebArchive, Map, Map)}, with features of its own.
     *
     * @param serverXml a resource
     */
    public static LibertyServer launch(
            String name,
            String serverXml,
            WebArchive application,
            Map<String, String> variables,
            Map<String, String> properties) {
        List<String> options = new ArrayList<>(LibertyFolder.JVM_OPTIONS);
        properties.forEach((key, value) -> options.add("-D" + key + "=" + value));
        return launch(name, serverXml, application, variables, options);
    }

    /**
     * As {@link #launch(String, String, WebArchive, Map, Map)}, with a JVM of its own kind.
     *
     * @param options all options of the JVM
     */
    public static LibertyServer launch(
            String name,
            String serverXml,
            WebArchive application,
            Map<String, String> variables,
            List<String> options) {
        int port = FreePort.any();
        try {
            LibertyFolder folder = LibertyFolder.define(name, serverXml, port, variables);
            folder.serve(application);
            folder.setOptions(options);
            return new LibertyServer(folder, port, run(name, folder));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static Process run(String name, LibertyFolder folder) throws IOException {
        Path script = Places.libertyHome().resolve("bin/server");
        script.toFile().setExecutable(true);
        ProcessBuilder builder = new ProcessBuilder(script.toString(), "run", name);
        builder.environment().put("WLP_USER_DIR", Places.libertyUser().toString());
        builder.environment().put("JAVA_HOME", System.getProperty("java.home"));
        builder.redirectErrorStream(true);
        builder.redirectOutput(folder.console().toFile());
        return builder.start();
    }

    /** Waits until the application answers. */
    public LibertyServer awaitReady() {
        until(name() + " has started or failed to", START, () -> failedToStart() || answers());
        if (failedToStart()) {
            throw new IllegalStateException(name() + " did not start:\n" + log());
        }
        return this;
    }

    private boolean failedToStart() {
        return !process.isAlive() || log().contains("CWWKZ0002E");
    }

    private boolean answers() throws InterruptedException {
        try {
            return Http.get(uri("/ready")).status() == 200;
        } catch (IOException notYet) {
            return false;
        }
    }

    /** Puts another archive in the place of the application, which the server notices, and waits until it has started. */
    public void redeploy(WebArchive application) {
        int before = log().split("CWWKZ0003I", -1).length;
        folder.serve(application);
        until(name() + " has updated its application", START, () -> log().split("CWWKZ0003I", -1).length > before);
    }

    /**
     * Puts an archive beside the application, or in the place of the one of that name, whole at once, so that the server
     * never sees half of it. Does not wait.
     */
    public void drop(WebArchive another) {
        folder.drop(another);
    }

    /** Takes an archive away that was dropped. Does not wait. */
    public void take(WebArchive another) {
        folder.take(another);
    }

    public String name() {
        return folder.name();
    }

    /** The process of the JVM, which is the script itself or its child. */
    public ProcessHandle jvm() {
        return processes().stream()
                .filter(handle -> handle.info().command().orElse("").endsWith("java"))
                .findFirst()
                .orElseThrow(() -> new IllegalStateException(name() + " has no JVM"));
    }

    /** Takes the application away from a server that runs on. Does not wait for that. */
    public void undeploy() {
        folder.undeploy();
    }

    /** An address of the server itself. */
    public URI root(String path) {
        return URI.create("http://127.0.0.1:" + port + path);
    }

    /** An address of the application. */
    public URI uri(String path) {
        return URI.create("http://127.0.0.1:" + port + "/app" + path);
    }

    /** What the server has logged so far. */
    public String log() {
        return folder.log();
    }

    /** Stops its JVM without ending it: it answers nothing, and its clocks run on. */
    public void freeze() {
        signal("STOP");
    }

    /** Lets it go on. */
    public void thaw() {
        signal("CONT");
    }

    private void signal(String signal) {
        try {
            int code = new ProcessBuilder("kill", "-" + signal, Long.toString(jvm().pid()))
                    .start()
                    .waitFor();
            if (code != 0) {
                throw new IllegalStateException("kill -" + signal + " ended with " + code);
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException(e);
        }
    }

    /** {@code kill -9}: no shutdown hook runs, no connection is closed in good order. */
    public void kill() {
        processes().forEach(ProcessHandle::destroyForcibly);
        await();
    }

    /** Stops it in good order, and with force if that takes too long. */
    @Override
    public void close() {
        List<ProcessHandle> handles = processes();
        handles.forEach(ProcessHandle::destroy);
        if (!await()) {
            handles.forEach(ProcessHandle::destroyForcibly);
        }
    }

    /** The script may run the JVM as its child. */
    private List<ProcessHandle> processes() {
        return Stream.concat(process.descendants(), Stream.of(process.toHandle()))
                .toList();
    }

    private boolean await() {
        try {
            return process.waitFor(STOP.toSeconds(), TimeUnit.SECONDS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return false;
        }
    }
}
