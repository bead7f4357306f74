package io.distributedfallback.sample;

import java.io.IOException;
import java.nio.file.Path;
import java.util.Map;

/**
 * Starts what the sample needs, says where it is, and stops it at Ctrl-C. System properties: {@code sample.target}, the
 * build directory of the sample; {@code sample.port}, the HTTP port (9080, or any free one, if it is not given); {@code
 * sample.until-ready}, to stop as soon as the sample has answered. The environment may name a database, see
 * {@link Database}.
 */
public final class RunSample {

    private RunSample() {}

    public static void main(String[] arguments) throws IOException, InterruptedException {
        Path target = Path.of(System.getProperty("sample.target", "target")).toAbsolutePath();
        int port = port();
        System.out.println("Starting the sample; this takes about half a minute.");
        Database database = Database.of(System.getenv(), target.resolve("postgres"));
        try (RunningSample sample = start(target, database, port)) {
            Runtime.getRuntime().addShutdownHook(new Thread(() -> stop(sample), "stop-sample"));
            sample.awaitAnswers();
            System.out.println(sample.description());
            if (!Boolean.getBoolean("sample.until-ready")) {
                sample.await();
            }
        }
    }

    private static void stop(RunningSample sample) {
        System.out.println("Stopping the sample; this takes some seconds.");
        sample.close();
    }

    private static RunningSample start(Path target, Database database, int port) {
        try {
            return RunningSample.start(target.resolve("liberty/wlp"), database, port, Map.of());
        } catch (RuntimeException e) {
            database.close();
            throw e;
        }
    }

    private static int port() throws IOException {
        String wanted = System.getProperty("sample.port", "");
        if (wanted.isEmpty()) {
            return RunningSample.freePort();
        }
        try {
            return RunningSample.boundAndReleased(Integer.parseInt(wanted));
        } catch (IOException | IllegalArgumentException e) {
            throw new IllegalArgumentException("sample.port is " + wanted + "; it must be a port that is free", e);
        }
    }
}
