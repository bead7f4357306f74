package io.distributedfallback.it.harness;

import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.time.Duration;

/** The visitor's browser. */
public final class Http {

    /** Longer than any answer that a test waits for: it ends a hung test, it decides nothing. */
    private static final Duration GIVE_UP = Duration.ofSeconds(40);

    private static final HttpClient CLIENT = HttpClient.newBuilder()
            .version(HttpClient.Version.HTTP_1_1)
            .connectTimeout(Duration.ofSeconds(5))
            .build();

    private Http() {}

    public static Reply get(URI address) throws IOException, InterruptedException {
        HttpRequest request = HttpRequest.newBuilder(address).timeout(GIVE_UP).build();
        long start = System.nanoTime();
        HttpResponse<String> response = CLIENT.send(request, HttpResponse.BodyHandlers.ofString());
        return new Reply(response.statusCode(), response.body(), Duration.ofNanos(System.nanoTime() - start));
    }
}
