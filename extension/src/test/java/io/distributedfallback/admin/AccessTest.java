package io.distributedfallback.admin;

import io.distributedfallback.core.ControlRoom;
import io.distributedfallback.core.MemoryBreakerStore;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.util.function.Supplier;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

import static org.assertj.core.api.Assertions.assertThat;

/** Who gets in, and what everybody gets with each answer. */
class AccessTest {

    private static final String[] STRICT = {
        "Cache-Control", "no-store",
        "X-Content-Type-Options", "nosniff",
        "Referrer-Policy", "no-referrer",
        "Cross-Origin-Resource-Policy", "same-origin"
    };

    private final MemoryBreakerStore database = Rooms.database();
    private final Rooms app = Rooms.over(database, "rawg");
    private final AdminServer server = AdminServer.of(app.room);

    @AfterEach
    void stop() {
        server.close();
        app.close();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "/",
                "/index.html",
                "/openapi.yaml",
                "/api/breakers",
                "/api/breakers/rawg",
                "/api/history",
                "/api/events",
                "/api/commands",
                "/nothing"
            })
    void nobody_gets_anything_without_a_login_or_without_the_role(String path) {
        assertThat(server.get(null, path).statusCode()).isEqualTo(401);
        assertThat(server.get(AdminServer.NOBODY, path).statusCode()).isEqualTo(403);
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "/", "/api/breakers", "/api/history", "/api/events", "/openapi.yaml"})
    void a_server_that_knows_no_users_lets_nobody_in(String path) {
        try (AdminServer open = AdminServer.withoutSecurity(app.room)) {
            HttpResponse<String> response = open.get(null, path);
            assertThat(response.statusCode()).isEqualTo(403);
            assertThat(AdminServer.json(response).at("/error/code").asText()).isEqualTo("forbidden");
        }
    }

    @Test
    void whoever_may_command_may_look_and_whoever_may_look_may_not_command() {
        assertThat(server.json("/api/breakers").at("/mayCommand").asBoolean()).isFalse();
        HttpResponse<String> seen = server.get(AdminServer.OPERATOR, "/api/breakers");
        assertThat(AdminServer.json(seen).at("/mayCommand").asBoolean()).isTrue();
        HttpResponse<String> refused = server.send(server.command(
                AdminServer.READER, "{\"breaker\":\"rawg\",\"action\":\"FORCE_OPEN\",\"reason\":\"test\"}"));
        assertThat(refused.statusCode()).isEqualTo(403);
        assertThat(database.readAll()).isEmpty();
    }

    @ParameterizedTest
    @CsvSource({
        "'/',200",
        "/openapi.yaml,200",
        "/api/breakers,200",
        "/api/breakers/nobody,404",
        "/api/history?limit=0,400",
        "/nothing,404",
        "/api/commands,405"
    })
    void every_answer_has_the_strict_headers(String path, int status) {
        HttpResponse<String> response = server.get(AdminServer.READER, path);
        assertThat(response.statusCode()).isEqualTo(status);
        assertStrict(response);
        if (path.startsWith("/api")) {
            assertThat(response.headers().firstValue("Content-Type"))
                    .hasValueSatisfying(type -> assertThat(type).startsWithIgnoringCase("application/json"));
        }
    }

    @Test
    void refusals_have_them_too() {
        // Else the server refuses, before the admin is asked.
        try (AdminServer open = AdminServer.withoutSecurity(app.room)) {
            HttpResponse<String> refused = open.get(null, "/api/breakers");
            assertStrict(refused);
            assertThat(AdminServer.json(refused).at("/error/code").asText()).isEqualTo("forbidden");
        }
    }

    private static void assertStrict(HttpResponse<String> response) {
        for (int i = 0; i < STRICT.length; i += 2) {
            assertThat(response.headers().firstValue(STRICT[i])).as(STRICT[i]).hasValue(STRICT[i + 1]);
        }
        assertThat(response.headers().firstValue("Content-Security-Policy"))
                .hasValueSatisfying(policy -> assertThat(policy)
                        .contains("default-src 'none'", "frame-ancestors 'none'")
                        .doesNotContain("unsafe"));
        assertThat(response.headers().map()).doesNotContainKey("access-control-allow-origin");
    }

    @ParameterizedTest
    @CsvSource({
        "POST,/api/breakers,'GET, HEAD'",
        "DELETE,/api/breakers/rawg,'GET, HEAD'",
        "PUT,/api/commands,POST",
        "POST,/api/events,GET",
        "OPTIONS,/api/commands,POST",
        "POST,/,'GET, HEAD'"
    })
    void other_methods_are_told_which_are_allowed(String method, String path, String allowed) {
        HttpResponse<String> response =
                server.send(server.request(AdminServer.OPERATOR, path).method(method, BodyPublishers.noBody()));
        assertThat(response.statusCode()).isEqualTo(405);
        assertThat(response.headers().firstValue("Allow")).hasValue(allowed);
    }

    @Test
    void the_path_without_its_slash_leads_to_the_page() {
        HttpResponse<String> response = server.get(AdminServer.READER, "");
        assertThat(response.statusCode()).isEqualTo(302);
        assertThat(response.headers().firstValue("Location"))
                .hasValueSatisfying(where -> assertThat(where).endsWith("/shop/breakers-admin/"));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "/page/index.html",
                "/../AdminServlet.class",
                "/AdminServlet.class",
                "/%2e%2e/AdminServlet.class",
                "/..%2fAdminServlet.class",
                "/app.js/",
                "/WEB-INF/web.xml",
                "/api",
                "/api/",
                "/api/breakers/",
                "/api/breakers/a/b",
                "//api/breakers"
            })
    void what_is_not_offered_is_not_found(String path) {
        assertThat(server.get(AdminServer.READER, path).statusCode()).isIn(400, 401, 404);
    }

    @Test
    void before_the_application_has_started_there_is_nothing_to_see_yet() {
        Supplier<ControlRoom> notYet = () -> {
            throw new IllegalStateException("not started");
        };
        try (AdminServer early = AdminServer.of(notYet)) {
            HttpResponse<String> response = early.get(AdminServer.READER, "/api/breakers");
            assertThat(response.statusCode()).isEqualTo(503);
            assertThat(response.headers().firstValue("Retry-After")).isPresent();
            assertThat(early.get(AdminServer.READER, "/").statusCode()).isEqualTo(200);
        }
    }
}
