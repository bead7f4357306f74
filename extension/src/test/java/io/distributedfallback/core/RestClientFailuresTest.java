package io.distributedfallback.core;

import com.sun.net.httpserver.HttpServer;
import io.distributedfallback.Classification;
import io.distributedfallback.FailureKind;
import io.distributedfallback.RetryAfter;
import jakarta.ws.rs.client.Client;
import jakarta.ws.rs.client.ClientBuilder;
import jakarta.ws.rs.core.MediaType;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.jboss.resteasy.client.jaxrs.ResteasyClientBuilder;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

import static io.distributedfallback.FailureKind.CALLER_ERROR;
import static io.distributedfallback.FailureKind.LOCAL;
import static io.distributedfallback.FailureKind.MISCONFIGURED;
import static io.distributedfallback.FailureKind.OUTAGE;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;

/** What real clients throw when a real server on the loopback address misbehaves. */
class RestClientFailuresTest {

    private HttpServer provider;
    private Client client;

    @BeforeEach
    void start() throws IOException {
        provider = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        provider.start();
        client = ClientBuilder.newClient();
    }

    @AfterEach
    void stop() {
        client.close();
        provider.stop(0);
    }

    @Test
    void statuses_of_the_rest_client() {
        assertThat(kindOfGet(answering(500))).isEqualTo(OUTAGE);
        assertThat(kindOfGet(answering(522))).isEqualTo(OUTAGE);
        assertThat(kindOfGet(answering(503))).isEqualTo(OUTAGE);
        assertThat(kindOfGet(answering(401))).isEqualTo(MISCONFIGURED);
        assertThat(kindOfGet(answering(404))).isEqualTo(CALLER_ERROR);
    }

    @Test
    void the_text_begins_with_the_status() {
        Throwable failure =
                catchThrowable(() -> client.target(answering(522)).request().get(String.class));
        assertThat(FailureText.of(failure)).startsWith("HTTP 522 (");
    }

    @Test
    void retry_after_of_the_rest_client() {
        assertThat(classifyGet(answering(429, "Retry-After", "120")))
                .isEqualTo(Classification.throttled(new RetryAfter.In(Duration.ofMinutes(2))));
        assertThat(classifyGet(answering(503, "Retry-After", "7")))
                .isEqualTo(Classification.throttled(new RetryAfter.In(Duration.ofSeconds(7))));
    }

    @Test
    void a_date_of_the_rest_client_is_measured_by_the_clock_of_the_provider() {
        // The server writes its own Date; a date far in its past is no pause at all.
        assertThat(classifyGet(answering(429, "Retry-After", "Sun, 06 Nov 1994 08:49:37 GMT")))
                .isEqualTo(Classification.throttled(new RetryAfter.In(Duration.ZERO)));
    }

    @Test
    void nobody_listens() throws IOException {
        assertThat(kindOfGet(closedPort())).isEqualTo(OUTAGE);
    }

    @Test
    void the_provider_hangs() throws IOException {
        try (ServerSocket silent = new ServerSocket(0, 1, InetAddress.getLoopbackAddress());
                Client impatient = ClientBuilder.newBuilder()
                        .readTimeout(50, TimeUnit.MILLISECONDS)
                        .build()) {
            Throwable failure = catchThrowable(
                    () -> impatient.target(addressOf(silent)).request().get(String.class));
            assertThat(kindOf(failure)).isEqualTo(OUTAGE);
        }
    }

    @Test
    void an_address_that_cannot_be_right() {
        for (String address : List.of("no-scheme/path", "nonsense://h/", "http:///path", "http://h:x/", "mailto:a@b")) {
            assertThat(kindOf(catchThrowable(
                            () -> client.target(address).request().get(String.class))))
                    .as(address)
                    .isEqualTo(LOCAL);
        }
    }

    @Test
    void an_address_that_cannot_be_right_for_the_client_of_the_jdk() {
        for (String address : List.of("/no-scheme", "nonsense://h/", "http:///path", "http://a b/")) {
            assertThat(kindOf(catchThrowable(() -> HttpRequest.newBuilder(URI.create(address)))))
                    .as(address)
                    .isEqualTo(LOCAL);
        }
    }

    @Test
    void an_answer_that_nobody_can_read() {
        assertThat(kindOf(catchThrowable(() -> client.target(answering(200, "Content-Type", "application/x-unheard-of"))
                        .request()
                        .get(List.class))))
                .isEqualTo(LOCAL);
    }

    @Test
    void a_pool_of_connections_that_is_used_up() {
        ResteasyClientBuilder builder = (ResteasyClientBuilder) ClientBuilder.newBuilder();
        try (Client narrow = builder.connectionPoolSize(1)
                .connectionCheckoutTimeout(20, TimeUnit.MILLISECONDS)
                .build()) {
            URI address = answering(200);
            var held = narrow.target(address).request(MediaType.WILDCARD).get();
            Throwable failure =
                    catchThrowable(() -> narrow.target(address).request().get(String.class));
            held.close();
            assertThat(kindOf(failure)).isEqualTo(LOCAL);
        }
    }

    @Test
    void the_client_of_the_jdk() throws IOException {
        HttpClient jdk = HttpClient.newHttpClient();
        URI nobody = closedPort();
        assertThat(kindOf(catchThrowable(
                        () -> jdk.send(HttpRequest.newBuilder(nobody).build(), BodyHandlers.ofString()))))
                .isEqualTo(OUTAGE);
        try (ServerSocket silent = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            HttpRequest request = HttpRequest.newBuilder(addressOf(silent))
                    .timeout(Duration.ofMillis(50))
                    .build();
            assertThat(kindOf(catchThrowable(() -> jdk.send(request, BodyHandlers.ofString()))))
                    .isEqualTo(OUTAGE);
            assertThat(kindOf(catchThrowable(() ->
                            jdk.sendAsync(request, BodyHandlers.ofString()).join())))
                    .isEqualTo(OUTAGE);
        }
    }

    private FailureKind kindOfGet(URI address) {
        return classifyGet(address).kind();
    }

    private Classification classifyGet(URI address) {
        return classify(catchThrowable(() -> client.target(address).request().get(String.class)));
    }

    private static FailureKind kindOf(Throwable failure) {
        return classify(failure).kind();
    }

    private static Classification classify(Throwable failure) {
        assertThat(failure).isNotNull();
        return new BuiltInClassifier().classify(Causes.unwrap(failure)).orElseThrow();
    }

    private URI answering(int status, String... header) {
        String path = "/" + status + "/" + header.length;
        provider.createContext(path, exchange -> {
            for (int i = 0; i < header.length; i += 2) {
                exchange.getResponseHeaders().set(header[i], header[i + 1]);
            }
            byte[] body = "a body".getBytes(StandardCharsets.UTF_8);
            exchange.sendResponseHeaders(status, body.length);
            exchange.getResponseBody().write(body);
            exchange.close();
        });
        InetSocketAddress address = provider.getAddress();
        return URI.create("http://" + address.getHostString() + ":" + address.getPort() + path);
    }

    private static URI closedPort() throws IOException {
        try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            return addressOf(socket);
        }
    }

    private static URI addressOf(ServerSocket socket) {
        return URI.create("http://" + socket.getInetAddress().getHostAddress() + ":" + socket.getLocalPort() + "/");
    }
}
