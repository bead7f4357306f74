package io.distributedfallback.admin;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import io.distributedfallback.core.BreakerRow;
import io.distributedfallback.core.HistoryEntry;
import io.distributedfallback.core.HistoryQuery;
import io.distributedfallback.core.MemoryBreakerStore;
import java.net.URLEncoder;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

import static org.assertj.core.api.Assertions.assertThat;

/** Commands over HTTP: what is carried out, and what is refused and changes nothing. */
class CommandsApiTest {

    private static final String FORCE_OPEN =
            "{\"breaker\":\"rawg\",\"action\":\"FORCE_OPEN\",\"reason\":\"maintenance\",\"expirySeconds\":600}";

    private final MemoryBreakerStore database = Rooms.database();
    private final Rooms app = Rooms.over(database, "rawg", "a/b");
    private final Rooms other = Rooms.over(database, "rawg");
    private final AdminServer server = AdminServer.of(app.room);

    @AfterEach
    void stop() {
        server.close();
        app.close();
        other.close();
    }

    @Test
    void carries_out_a_command_in_the_name_of_whoever_is_logged_in() {
        HttpResponse<String> response = server.send(server.command(AdminServer.OPERATOR, FORCE_OPEN));
        assertThat(response.statusCode()).as(response.body()).isEqualTo(200);
        JsonNode breaker = AdminServer.json(response);
        assertThat(breaker.at("/override/by").asText()).isEqualTo(AdminServer.OPERATOR);
        assertThat(breaker.at("/route").asText()).isEqualTo("FALLBACK");
        assertThat(breaker.at("/why").asText())
                .startsWith("Forced open by otto for another ")
                .endsWith(": maintenance.");
        HistoryEntry entry = history().get(0);
        assertThat(entry.command()).hasValueSatisfying(command -> {
            assertThat(command.by()).isEqualTo(AdminServer.OPERATOR);
            assertThat(command.reason()).isEqualTo("maintenance");
        });
        other.room.refresh();
        assertThat(other.breakers.get("rawg").isOpen())
                .as("on another instance")
                .isTrue();
    }

    @Test
    void clears_and_resets() {
        app.open("rawg");
        server.send(server.command(AdminServer.OPERATOR, FORCE_OPEN));
        JsonNode cleared = AdminServer.json(server.send(server.command(
                AdminServer.OPERATOR,
                "{\"breaker\":\"rawg\",\"action\":\"CLEAR_OVERRIDE\",\"reason\":\"done\",\"expirySeconds\":null}")));
        assertThat(cleared.at("/override").isNull()).isTrue();
        assertThat(cleared.at("/state").asText()).isEqualTo("OPEN");
        JsonNode reset = AdminServer.json(server.send(server.command(
                AdminServer.OPERATOR, "{\"breaker\":\"rawg\",\"action\":\"RESET\",\"reason\":\"it is back\"}")));
        assertThat(reset.at("/state").asText()).isEqualTo("CLOSED");

        JsonNode history = server.json("/api/history?breaker=rawg&limit=2");
        assertThat(history.at("/entries/0/cause").asText()).isEqualTo("OPERATOR");
        assertThat(history.at("/entries/0/command/action").asText()).isEqualTo("RESET");
        assertThat(history.at("/entries/0/command/reason").asText()).isEqualTo("it is back");
        assertThat(history.at("/entries/1/command/overrideBefore").asText()).isEqualTo("FORCED_OPEN");
        JsonNode older = server.json(
                "/api/history?breaker=rawg&before=" + history.at("/next").asLong());
        assertThat(older.at("/entries/1/to").asText()).isEqualTo("OPEN");
        assertThat(older.at("/entries/1/evidence/consecutiveFailures").asInt()).isEqualTo(3);
        assertThat(older.at("/next").isNull()).isTrue();
    }

    @Test
    void a_key_that_another_instance_uses_can_be_commanded_as_well() throws Exception {
        for (int i = 0; i < 3; i++) {
            other.breakers
                    .get("rawg", "acme")
                    .call(
                            () -> {
                                throw new java.io.IOException("HTTP 503");
                            },
                            () -> "fallback");
        }
        HttpResponse<String> response = server.send(server.command(
                AdminServer.OPERATOR, "{\"breaker\":\"rawg[acme]\",\"action\":\"RESET\",\"reason\":\"it is back\"}"));
        assertThat(response.statusCode()).as(response.body()).isEqualTo(200);
        assertThat(AdminServer.json(response).at("/state").asText()).isEqualTo("CLOSED");
        assertThat(database.readAll()).noneMatch(BreakerRow::isOpen);
    }

    static Stream<HttpRequest.Builder> forgeries(AdminServer server) {
        String body = FORCE_OPEN;
        return Stream.of(
                server.request(AdminServer.OPERATOR, "/api/commands")
                        .header("Content-Type", "application/json")
                        .POST(BodyPublishers.ofString(body)),
                server.request(AdminServer.OPERATOR, "/api/commands")
                        .header("Content-Type", "application/json")
                        .header("X-Distributed-Fallback", "yes")
                        .POST(BodyPublishers.ofString(body)),
                server.request(AdminServer.OPERATOR, "/api/commands")
                        .header("X-Distributed-Fallback", "command")
                        .header("Content-Type", "text/plain")
                        .POST(BodyPublishers.ofString(body)),
                server.request(AdminServer.OPERATOR, "/api/commands")
                        .header("X-Distributed-Fallback", "command")
                        .POST(BodyPublishers.ofString(body)),
                server.command(AdminServer.OPERATOR, body).header("Content-Type", "text/plain"),
                server.command(AdminServer.OPERATOR, body).header("Sec-Fetch-Site", "cross-site"),
                server.command(AdminServer.OPERATOR, body).header("Sec-Fetch-Site", "same-site"),
                server.command(AdminServer.OPERATOR, body).header("Sec-Fetch-Site", "none"),
                server.command(AdminServer.OPERATOR, body)
                        .header("Sec-Fetch-Site", "cross-site")
                        .header("Origin", server.origin()),
                server.command(AdminServer.OPERATOR, body).header("Origin", "https://evil.example"),
                server.command(AdminServer.OPERATOR, body).header("Origin", "null"),
                server.command(AdminServer.OPERATOR, body).header("Origin", ""),
                server.command(AdminServer.OPERATOR, body).header("Origin", server.origin() + ".evil.example"),
                server.command(AdminServer.OPERATOR, body).header("Origin", "http://127.0.0.1:1"),
                server.command(AdminServer.OPERATOR, body).header("Origin", "file://127.0.0.1:" + server.port()),
                server.command(AdminServer.OPERATOR, body)
                        .header("Origin", server.origin())
                        .header("Origin", "https://evil.example"));
    }

    @Test
    void what_another_site_could_have_sent_is_refused_and_changes_nothing() {
        forgeries(server).forEach(request -> {
            HttpResponse<String> response = server.send(request);
            assertThat(response.statusCode())
                    .as("%s %s", response.request().headers().map(), response.body())
                    .isEqualTo(403);
            assertThat(AdminServer.json(response).at("/error/code").asText()).isEqualTo("not-same-origin");
        });
        assertNothingChanged();
    }

    @Test
    void what_the_page_sends_is_not() {
        for (HttpRequest.Builder request : List.of(
                server.command(AdminServer.OPERATOR, FORCE_OPEN).header("Sec-Fetch-Site", "same-origin"),
                server.command(AdminServer.OPERATOR, FORCE_OPEN).header("Origin", server.origin()),
                server.command(AdminServer.OPERATOR, FORCE_OPEN)
                        .header("Sec-Fetch-Site", "same-origin")
                        .header("Origin", "https://behind.a.proxy.example"))) {
            assertThat(server.send(request).statusCode()).isEqualTo(200);
        }
    }

    static Stream<String> bodies() {
        return Stream.of(
                "",
                "null",
                "[]",
                "{",
                "{}",
                FORCE_OPEN + "x",
                FORCE_OPEN.replace("FORCE_OPEN", "DROP"),
                FORCE_OPEN.replace("FORCE_OPEN", "force_open"),
                FORCE_OPEN.replace("600", "0"),
                FORCE_OPEN.replace("600", "-5"),
                FORCE_OPEN.replace("600", "1.5"),
                FORCE_OPEN.replace("600", "1e3"),
                FORCE_OPEN.replace("600", "31536001"),
                FORCE_OPEN.replace("600", "99999999999999999999"),
                FORCE_OPEN.replace("600", "\"600\""),
                FORCE_OPEN.replace("600", "0600"),
                FORCE_OPEN.replace("FORCE_OPEN", "RESET"),
                FORCE_OPEN.replace("maintenance", ""),
                FORCE_OPEN.replace("maintenance", "   "),
                FORCE_OPEN.replace("maintenance", "two\\nlines"),
                FORCE_OPEN.replace("maintenance", "two\nlines"),
                FORCE_OPEN.replace("maintenance", "\\u0000"),
                FORCE_OPEN.replace("maintenance", "\\ud800"),
                FORCE_OPEN.replace("maintenance", "\\x"),
                FORCE_OPEN.replace("maintenance", "x".repeat(501)),
                FORCE_OPEN.replace("\"maintenance\"", "7"),
                FORCE_OPEN.replace("\"maintenance\"", "true"),
                FORCE_OPEN.replace("\"maintenance\"", "{}"),
                FORCE_OPEN.replace("\"maintenance\"", "null"),
                FORCE_OPEN.replace("\"reason\":\"maintenance\",", ""),
                FORCE_OPEN.replace("{", "{\"by\":\"somebody else\","),
                FORCE_OPEN.replace("{", "{\"breaker\":\"jikan\","),
                FORCE_OPEN.replace("{", "{'x':1,"));
    }

    @ParameterizedTest
    @MethodSource("bodies")
    void a_body_that_is_not_right_is_refused_and_changes_nothing(String body) {
        HttpResponse<String> response = server.send(server.command(AdminServer.OPERATOR, body));
        assertThat(response.statusCode()).as(response.body()).isEqualTo(400);
        assertThat(AdminServer.json(response).at("/error/message").asText()).isNotBlank();
        assertNothingChanged();
    }

    @Test
    void a_body_that_is_too_long_or_no_text_is_refused_and_changes_nothing() {
        String padded = FORCE_OPEN + " ".repeat(Commands.MOST_BYTES);
        assertThat(server.send(server.command(AdminServer.OPERATOR, padded)).statusCode())
                .isEqualTo(413);
        HttpRequest.Builder chunked = server.command(AdminServer.OPERATOR, "")
                .POST(BodyPublishers.fromPublisher(BodyPublishers.ofString(padded)));
        assertThat(server.send(chunked).statusCode()).isEqualTo(413);
        byte[] bytes = FORCE_OPEN.replace("maintenance", "\u00e4").getBytes(StandardCharsets.ISO_8859_1);
        HttpRequest.Builder latin = server.command(AdminServer.OPERATOR, "").POST(BodyPublishers.ofByteArray(bytes));
        assertThat(server.send(latin).statusCode()).isEqualTo(400);
        assertNothingChanged();
    }

    static Stream<String> names() {
        return Stream.of(
                "unknown",
                "..",
                "../rawg",
                "../../etc/passwd",
                "..\\rawg",
                "rawg'; DROP TABLE distributed_breaker; --",
                "\"rawg\"",
                "<script>alert(1)</script>",
                "RAWG",
                "rawg ",
                "rawg\u0000",
                "rawg\r\nSet-Cookie: a=b",
                "rawg\u202e",
                "r\u0430wg",
                "rawg[x]",
                "rawg[",
                "%72awg",
                "\ud83d\udca5",
                "x".repeat(10_000));
    }

    @ParameterizedTest
    @MethodSource("names")
    void a_name_that_is_not_known_is_not_found_and_makes_no_row(String name) {
        String body = "{\"breaker\":" + JsonNodeFactory.instance.textNode(name)
                + ",\"action\":\"FORCE_OPEN\",\"reason\":\"test\"}";
        assertThat(server.send(server.command(AdminServer.OPERATOR, body)).statusCode())
                .isEqualTo(404);
        String encoded = URLEncoder.encode(name, StandardCharsets.UTF_8).replace("+", "%20");
        HttpResponse<String> response = server.get(AdminServer.OPERATOR, "/api/breakers/" + encoded);
        assertThat(response.statusCode()).isIn(400, 404, 431, 414);
        assertThat(response.body()).doesNotContain("<script>");
        assertNothingChanged();
    }

    @ParameterizedTest
    @ValueSource(strings = {"%", "%4", "%zz", "%ff", "%c0%ae", "rawg;x=1", "%ed%a0%80"})
    void a_path_that_is_no_text_is_refused(String segment) {
        HttpRequest.Builder request;
        try {
            request = server.request(AdminServer.READER, "/api/breakers/" + segment);
        } catch (IllegalArgumentException cannotEvenBeSent) {
            return;
        }
        assertThat(server.send(request).statusCode()).isIn(400, 404);
    }

    @Test
    void one_breaker_is_shown_with_its_policy() {
        JsonNode breaker = server.json("/api/breakers/rawg");
        assertThat(breaker.at("/name").asText()).isEqualTo("rawg");
        assertThat(breaker.at("/policy/failure-threshold").asText()).isEqualTo("3");
        assertThat(breaker.at("/policy/probe-interval").asText()).isEqualTo("15s");
    }

    private List<HistoryEntry> history() {
        return database.history(new HistoryQuery(Optional.empty(), OptionalLong.empty(), 50));
    }

    private void assertNothingChanged() {
        assertThat(database.readAll()).isEmpty();
        assertThat(history()).isEmpty();
    }
}
