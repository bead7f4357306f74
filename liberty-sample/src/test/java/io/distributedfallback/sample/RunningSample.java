package io.distributedfallback.sample;

import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** Database and server, up and answering. Thread-safe; closing it twice does nothing more. */
final class RunningSample implements AutoCloseable {

    static final int USUAL_PORT = 9080;

    private static final Duration LONGEST_START = Duration.ofMinutes(2);
    private static final Duration BETWEEN_LOOKS = Duration.ofMillis(250);
    private static final List<String> MUST_ANSWER =
            List.of("/", "/api/games?q=moon", "/api/anime?q=moon", "/api/breakers");

    private final Database database;
    private final LibertyServer server;
    private final URI address;
    private boolean closed;

    private RunningSample(Database database, LibertyServer server, URI address) {
        this.database = database;
        this.server = server;
        this.address = address;
    }

    /**
     * Starts the server on a database that is up. Closing the sample closes the database as well.
     *
     * @param wlp the directory of the runtime
     * @param database the database
     * @param port the HTTP port
     * @param environment further variables for the server
     */
    static RunningSample start(Path wlp, Database database, int port, Map<String, String> environment) {
        Map<String, String> all = new HashMap<>(environment);
        all.putAll(database.environment());
        all.put("HTTP_PORT", String.valueOf(port));
        return new RunningSample(database, LibertyServer.start(wlp, all), URI.create("http://localhost:" + port + "/"));
    }

    /** The usual port, or any free one if that is taken. */
    static int freePort() throws IOException {
        try {
            return boundAndReleased(USUAL_PORT);
        } catch (IOException taken) {
            return boundAndReleased(0);
        }
    }

    static int boundAndReleased(int port) throws IOException {
        try (ServerSocket socket = new ServerSocket(port, 1, InetAddress.getLoopbackAddress())) {
            return socket.getLocalPort();
        }
    }

    /**
     * Waits until the page and the searches answer.
     *
     * @throws IllegalStateException if the server ends, or does not answer in two minutes
     */
    void awaitAnswers() throws InterruptedException {
        HttpClient http =
                HttpClient.newBuilder().connectTimeout(Duration.ofSeconds(2)).build();
        long start = System.nanoTime();
        while (!allAnswer(http)) {
            if (!server.runs()) {
                throw new IllegalStateException("Open Liberty has ended; see " + server.log());
            }
            if (System.nanoTime() - start > LONGEST_START.toNanos()) {
                throw new IllegalStateException(
                        "The sample does not answer after " + LONGEST_START + "; see " + server.log());
            }
            Thread.sleep(BETWEEN_LOOKS.toMillis());
        }
    }

    /** Whether all answer; the last of them is asked whether the breakers' state has been read. */
    private boolean allAnswer(HttpClient http) throws InterruptedException {
        String body = "";
        for (String path : MUST_ANSWER) {
            HttpRequest request = HttpRequest.newBuilder(address.resolve(path))
                    .timeout(Duration.ofSeconds(10))
                    .build();
            try {
                HttpResponse<String> response = http.send(request, HttpResponse.BodyHandlers.ofString());
                if (response.statusCode() != 200) {
                    return false;
                }
                body = response.body();
            } catch (IOException notYet) {
                return false;
            }
        }
        return body.contains("copyAgeMillis");
    }

    URI address() {
        return address;
    }

    String description() {
        return """

                  The sample is ready:  %s

                  database    %s
                  server log  %s
                  Ctrl-C stops it.
                """.formatted(address, database, server.log());
    }

    /** Waits until the server has ended. */
    void await() throws InterruptedException {
        server.await();
    }

    /** Stops the server, then the database that it uses. */
    @Override
    public synchronized void close() {
        if (closed) {
            return;
        }
        closed = true;
        try (database) {
            server.close();
        }
    }
}
