package io.distributedfallback.it.admin;

import io.distributedfallback.it.harness.Http;
import java.io.BufferedReader;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.net.URI;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

import static io.distributedfallback.it.admin.AdminServers.NOBODY;
import static io.distributedfallback.it.admin.AdminServers.OPERATOR;
import static io.distributedfallback.it.admin.AdminServers.READER;
import static io.distributedfallback.it.admin.AdminServers.admin;
import static io.distributedfallback.it.admin.AdminServers.get;
import static io.distributedfallback.it.admin.AdminServers.request;
import static io.distributedfallback.it.admin.AdminServers.send;
import static io.distributedfallback.it.harness.Eventually.eventually;
import static org.assertj.core.api.Assertions.assertThat;

/** Whom the admin lets in on a real server, and what a command does in the cluster. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class AdminIT {

    private static final Duration PATIENCE = Duration.ofSeconds(20);

    private AdminServers servers;

    @BeforeAll
    @Timeout(value = 5, unit = TimeUnit.MINUTES)
    void start() {
        servers = new AdminServers();
    }

    @AfterAll
    void stop() {
        if (servers != null) {
            servers.close();
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "/", "/openapi.yaml", "/api/breakers", "/api/history", "/nothing"})
    void nobody_gets_anything_without_a_login_or_without_the_role(String path) throws Exception {
        URI address = admin(servers.a, path);
        assertThat(get(null, address).statusCode()).isEqualTo(401);
        assertThat(get(NOBODY, address).statusCode()).isEqualTo(403);
        assertThat(get(READER, address).statusCode())
                .isEqualTo(path.isEmpty() ? 302 : path.equals("/nothing") ? 404 : 200);
    }

    @Test
    void a_server_that_has_no_servlets_to_show_starts_the_application_and_has_no_admin() throws Exception {
        assertThat(Http.get(servers.b.uri("/ready")).status()).isEqualTo(200);
        assertThat(get(OPERATOR, admin(servers.b, "/api/breakers")).statusCode())
                .isEqualTo(404);
    }

    @Test
    void an_application_that_does_not_want_it_does_not_have_it() throws Exception {
        URI address = servers.a.uri("").resolve("/disabled/distributed-fallback/api/breakers");
        for (String user : List.of(READER, OPERATOR)) {
            assertThat(get(user, address).statusCode()).isEqualTo(404);
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"/complete", "/whole"})
    void it_is_there_in_a_war_whose_descriptor_is_complete_and_in_an_ear(String context) throws Exception {
        URI address = servers.a.uri("").resolve(context + "/distributed-fallback/api/breakers");
        eventually(PATIENCE, () -> assertThat(get(null, address).statusCode()).isEqualTo(401));
        assertThat(get(NOBODY, address).statusCode()).isEqualTo(403);
        HttpResponse<String> response = get(READER, address);
        assertThat(response.statusCode()).as(response.body()).isEqualTo(200);
        assertThat(response.body()).contains("\"name\":\"weather\"");
    }

    @Test
    void a_command_on_one_server_is_obeyed_on_the_other_and_leaves_who_and_why() throws Exception {
        touch();
        assertThat(send(servers.command(OPERATOR, "outage", "FORCE_OPEN")).statusCode())
                .isEqualTo(200);
        eventually(PATIENCE, () -> {
            assertThat(Http.get(servers.b.uri("/call/outage")).body()).isEqualTo("fallback");
            assertThat(Http.get(servers.b.uri("/breakers/outage/status")).body())
                    .isEqualTo("CLOSED FALLBACK 0");
        });
        assertThat(servers.query(
                        String.class,
                        "SELECT string_agg(commanded_by || ' ' || commanded_action || ' ' || reason, ',')"
                                + " FROM distributed_breaker_transition WHERE breaker = 'outage'"))
                .isEqualTo("otto FORCE_OPEN a test");
        assertThat(servers.a.log()).contains("DFB410", "otto", "a test");
        String history =
                get(READER, admin(servers.a, "/api/history?breaker=outage")).body();
        assertThat(history).contains("\"action\":\"FORCE_OPEN\"", "\"by\":\"otto\"", "\"reason\":\"a test\"");

        assertThat(send(servers.command(OPERATOR, "outage", "CLEAR_OVERRIDE")).statusCode())
                .isEqualTo(200);
        eventually(
                PATIENCE,
                () -> assertThat(Http.get(servers.b.uri("/breakers/outage/status"))
                                .body())
                        .startsWith("CLOSED PRIMARY"));
    }

    @ParameterizedTest
    @CsvSource({
        "Sec-Fetch-Site,cross-site",
        "Sec-Fetch-Site,same-site",
        "Sec-Fetch-Site,none",
        "Origin,https://evil.example",
        "Origin,null",
        "Content-Type,text/plain",
        "X-Distributed-Fallback,other"
    })
    void what_another_site_could_have_sent_is_refused_and_changes_nothing(String header, String value)
            throws Exception {
        touch();
        String before = servers.rows();
        HttpResponse<String> response =
                send(servers.command(OPERATOR, "refused", "FORCE_OPEN").setHeader(header, value));
        assertThat(response.statusCode()).as(response.body()).isEqualTo(403);
        assertThat(servers.rows()).isEqualTo(before);
    }

    @Test
    void neither_a_reader_nor_a_stranger_nor_somebody_without_the_header_gets_a_command_through() throws Exception {
        touch();
        String before = servers.rows();
        assertThat(send(servers.command(null, "refused", "FORCE_OPEN")).statusCode())
                .isEqualTo(401);
        assertThat(send(servers.command(NOBODY, "refused", "FORCE_OPEN")).statusCode())
                .isEqualTo(403);
        assertThat(send(servers.command(READER, "refused", "FORCE_OPEN")).statusCode())
                .isEqualTo(403);
        HttpRequest.Builder bare = request(OPERATOR, admin(servers.a, "/api/commands"))
                .header("Content-Type", "application/json")
                .POST(BodyPublishers.ofString("{\"breaker\":\"refused\",\"action\":\"FORCE_OPEN\",\"reason\":\"x\"}"));
        assertThat(send(bare).statusCode()).isEqualTo(403);
        assertThat(servers.rows()).isEqualTo(before);
        assertThat(servers.a.log()).contains("DFB414");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "unknown",
                "..",
                "../refused",
                "\\\"refused\\\"",
                "<script>alert(1)</script>",
                "refused'; DROP TABLE distributed_breaker; --",
                "r\\u0435fused",
                "refused\\u0000",
                "\\ud83d\\udca5",
                "LONG"
            })
    void a_hostile_name_is_not_found_and_changes_nothing(String name) throws Exception {
        touch();
        String before = servers.rows();
        String breaker = name.equals("LONG") ? "x".repeat(10_000) : name;
        assertThat(send(servers.command(OPERATOR, breaker, "FORCE_OPEN")).statusCode())
                .isEqualTo(404);
        assertThat(servers.rows()).isEqualTo(before);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "..%2frefused",
                "%2e%2e%2frefused",
                "a%2fb",
                "%00",
                "%ff",
                "%3Cscript%3E",
                "..;/refused",
                "refused;x=y",
                "refused/policy"
            })
    void a_hostile_path_is_refused_and_tells_nothing(String segment) throws Exception {
        HttpResponse<String> response = get(READER, URI.create(admin(servers.a, "/api/breakers/") + segment));
        assertThat(response.statusCode()).as(response.body()).isIn(400, 404);
        assertThat(response.body()).doesNotContain("<script>", "\"state\"");
    }

    @Test
    void a_browser_that_listens_hears_of_a_command() throws Exception {
        assertThat(get(null, admin(servers.a, "/api/events")).statusCode()).isEqualTo(401);
        assertThat(get(NOBODY, admin(servers.a, "/api/events")).statusCode()).isEqualTo(403);
        touch();
        HttpResponse<InputStream> response = AdminServers.client()
                .send(request(READER, admin(servers.a, "/api/events")).build(), BodyHandlers.ofInputStream());
        assertThat(response.statusCode()).isEqualTo(200);
        try (BufferedReader lines =
                new BufferedReader(new InputStreamReader(response.body(), StandardCharsets.UTF_8))) {
            assertThat(lines.readLine()).isEqualTo("event: beat");
            assertThat(send(servers.command(OPERATOR, "throttled", "RESET")).statusCode())
                    .isEqualTo(200);
            assertThat(send(servers.command(OPERATOR, "throttled", "FORCE_CLOSED"))
                            .statusCode())
                    .isEqualTo(200);
            String line = lines.readLine();
            while (line != null && !line.equals("event: change")) {
                line = lines.readLine();
            }
            assertThat(line).isEqualTo("event: change");
        }
    }

    /** Has the tables made, if nobody has asked for them yet; no guarded method is called, so nothing is written later. */
    private void touch() throws Exception {
        eventually(
                PATIENCE,
                () -> assertThat(get(READER, admin(servers.a, "/api/breakers")).body())
                        .contains("\"storeUp\":true")
                        .doesNotContain("\"ageMillis\":null"));
    }
}
