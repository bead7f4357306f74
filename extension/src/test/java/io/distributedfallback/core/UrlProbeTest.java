package io.distributedfallback.core;

import com.sun.net.httpserver.HttpServer;
import io.distributedfallback.BreakerState;
import io.distributedfallback.Classification;
import io.distributedfallback.FailureKind;
import io.distributedfallback.RetryAfter;
import io.distributedfallback.core.Cluster.Instance;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.URI;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;

/** The probe that needs no code, against a real server on the loopback address. */
class UrlProbeTest {

    private static final Duration PATIENT = Duration.ofSeconds(30);

    private final AtomicInteger asked = new AtomicInteger();
    private HttpServer provider;
    private volatile int status = 200;
    private volatile String method = "";

    @BeforeEach
    void start() throws IOException {
        provider = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        provider.createContext("/ping", exchange -> {
            asked.incrementAndGet();
            method = exchange.getRequestMethod();
            exchange.getResponseHeaders().set("Retry-After", "7");
            exchange.getResponseHeaders().set("Location", "/elsewhere");
            exchange.sendResponseHeaders(status, -1);
            exchange.close();
        });
        provider.start();
    }

    @AfterEach
    void stop() {
        provider.stop(0);
    }

    private URI url() {
        return URI.create("http://127.0.0.1:" + provider.getAddress().getPort() + "/ping");
    }

    private Classification classified() {
        Throwable failure = catchThrowable(() -> new UrlProbe(url(), PATIENT).passes());
        return FailureRules.forAll("rawg", List.of(), new BreakerListener() {}).classify(failure);
    }

    @ParameterizedTest
    @ValueSource(ints = {200, 204, 301, 302, 304})
    void an_answer_of_the_2xx_and_3xx_passes_and_no_redirect_is_followed(int answer) throws Exception {
        status = answer;
        assertThat(new UrlProbe(url(), PATIENT).passes()).isTrue();
        assertThat(method).isEqualTo("GET");
        assertThat(asked).hasValue(1);
    }

    @Test
    void any_other_answer_is_classified_as_in_a_guarded_call() {
        status = 500;
        assertThat(classified()).isEqualTo(Classification.of(FailureKind.OUTAGE));
        status = 401;
        assertThat(classified()).isEqualTo(Classification.of(FailureKind.MISCONFIGURED));
        status = 404;
        assertThat(classified()).isEqualTo(Classification.of(FailureKind.CALLER_ERROR));
        status = 429;
        assertThat(classified()).isEqualTo(Classification.throttled(new RetryAfter.In(Duration.ofSeconds(7))));
    }

    @Test
    void a_server_that_is_gone_or_silent_is_an_outage() throws IOException {
        try (ServerSocket silent = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            URI address = URI.create("http://127.0.0.1:" + silent.getLocalPort() + "/");
            Throwable failure = catchThrowable(() -> new UrlProbe(address, Duration.ofMillis(50)).passes());
            assertThat(failure).isInstanceOf(IOException.class);
        }
        provider.stop(0);
        assertThat(classified()).isEqualTo(Classification.of(FailureKind.OUTAGE));
        start();
    }

    @Test
    void a_breaker_with_a_probe_url_closes_by_it_and_leaves_its_probe_method_alone() throws Exception {
        Cluster cluster = new Cluster();
        cluster.policy = cluster.policy.toBuilder().probeUrl(url()).build();
        Instance instance = cluster.instance();
        cluster.open(instance);
        for (int i = 0; i < 3; i++) {
            cluster.passInterval();
            instance.visit();
        }
        assertThat(instance.breaker.status().standing().state()).isEqualTo(BreakerState.CLOSED);
        assertThat(asked).hasValue(3);
        assertThat(cluster.provider.probes).isZero();
    }
}
