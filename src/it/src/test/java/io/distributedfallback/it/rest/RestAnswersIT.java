package io.distributedfallback.it.rest;

import io.distributedfallback.it.harness.LibertyServer;
import io.distributedfallback.it.harness.Places;
import io.distributedfallback.it.rest.app.Desk;
import io.distributedfallback.it.rest.app.ListingSite;
import io.distributedfallback.it.rest.app.OwnMapper;
import io.distributedfallback.it.rest.app.PlainDesk;
import io.distributedfallback.it.rest.app.Shelf;
import io.distributedfallback.it.rest.app.Site;
import java.io.IOException;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.jboss.shrinkwrap.api.ShrinkWrap;
import org.jboss.shrinkwrap.api.asset.EmptyAsset;
import org.jboss.shrinkwrap.api.asset.StringAsset;
import org.jboss.shrinkwrap.api.spec.WebArchive;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.MethodOrderer;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestMethodOrder;
import org.junit.jupiter.api.Timeout;

import static org.assertj.core.api.Assertions.assertThat;

/** The jar dropped into applications with Jakarta REST: found by itself, listed by hand, and with a mapper of their own. */
@TestMethodOrder(MethodOrderer.OrderAnnotation.class)
class RestAnswersIT {

    private static final HttpClient CLIENT = HttpClient.newHttpClient();

    private static LibertyServer server;

    @BeforeAll
    @Timeout(value = 4, unit = TimeUnit.MINUTES)
    static void start() {
        server = LibertyServer.launch(
                        "rest",
                        "liberty/seen-server.xml",
                        application(Site.class, ListingSite.class),
                        Map.of("db.port", "1"),
                        Map.of())
                .awaitReady();
    }

    private static WebArchive application(Class<?>... more) {
        return ShrinkWrap.create(WebArchive.class, "app.war")
                .addClasses(Desk.class, Shelf.class)
                .addClasses(more)
                .addAsLibraries(Places.extensionJar())
                .addAsResource(
                        new StringAsset("distributed-fallback.store=memory\n"),
                        "META-INF/microprofile-config.properties")
                .addAsWebInfResource(EmptyAsset.INSTANCE, "beans.xml");
    }

    @AfterAll
    static void stop() {
        if (server != null) {
            server.close();
        }
    }

    private static HttpResponse<String> get(String path) throws IOException, InterruptedException {
        return CLIENT.send(
                HttpRequest.newBuilder(server.uri(path))
                        .timeout(Duration.ofSeconds(40))
                        .build(),
                HttpResponse.BodyHandlers.ofString());
    }

    private static void is503(HttpResponse<String> response) {
        assertThat(response.statusCode()).as(response.body()).isEqualTo(503);
        assertThat(response.headers().firstValueAsLong("Retry-After").orElse(0)).isPositive();
        assertThat(response.headers().firstValue("Content-Type").orElse("")).startsWith("application/problem+json");
        assertThat(response.body()).contains("\"status\":503").doesNotContain("limited", "bare", "kept from");
    }

    @Test
    @Order(1)
    void the_mappers_are_found_and_answer_503_with_retry_after() throws Exception {
        assertThat(get("/limited").body()).isEqualTo("primaryprimary");
        get("/open");
        HttpResponse<String> limited = get("/limited");
        is503(limited);
        assertThat(limited.headers().firstValue("Retry-After")).contains("1");
        is503(get("/bare"));
    }

    @Test
    @Order(2)
    void an_application_that_lists_its_classes_has_those_that_it_lists() throws Exception {
        get("/open");
        is503(get("/listed/limited"));
        assertThat(get("/listed/bare").statusCode()).isEqualTo(500);
    }

    @Test
    @Order(4)
    @Timeout(value = 4, unit = TimeUnit.MINUTES)
    void a_server_without_jakarta_rest_does_not_miss_it() throws Exception {
        server.close();
        server = LibertyServer.launch(
                        "without-rest",
                        "liberty/without-rest-server.xml",
                        ShrinkWrap.create(WebArchive.class, "app.war")
                                .addClasses(Shelf.class, PlainDesk.class)
                                .addAsLibraries(Places.extensionJar())
                                .addAsResource(
                                        new StringAsset("distributed-fallback.store=memory\n"),
                                        "META-INF/microprofile-config.properties")
                                .addAsWebInfResource(EmptyAsset.INSTANCE, "beans.xml"),
                        Map.of(),
                        Map.of())
                .awaitReady();
        assertThat(get("/ready").body()).isEqualTo("primary");
        assertThat(server.log()).doesNotContain("NoClassDefFoundError", "ClassNotFoundException", "jakarta.ws.rs");
    }

    @Test
    @Order(3)
    @Timeout(value = 4, unit = TimeUnit.MINUTES)
    void a_mapper_of_the_application_goes_first() throws Exception {
        server.redeploy(application(Site.class, OwnMapper.class));
        get("/open");
        HttpResponse<String> limited = get("/limited");
        assertThat(limited.statusCode()).isEqualTo(429);
        assertThat(limited.body()).isEqualTo("slow down");
        is503(get("/bare"));
    }
}
