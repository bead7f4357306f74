package io.distributedfallback.admin;

import com.fasterxml.jackson.databind.JsonNode;
import java.net.http.HttpResponse;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import static org.assertj.core.api.Assertions.assertThat;

/** What the list of breakers says, and to whom. */
class BreakersApiTest {

    private final Rooms app = Rooms.over(Rooms.database(), "rawg", "jikan", "igdb");
    private final AdminServer server = AdminServer.of(app.room);

    @AfterEach
    void stop() {
        server.close();
        app.close();
    }

    @Test
    void shows_all_that_the_code_declares_those_that_are_open_first() {
        app.open("rawg");
        app.fail("jikan");
        JsonNode json = server.json("/api/breakers");
        assertThat(json.at("/instance").asText()).isEqualTo("pod-7");
        assertThat(json.at("/total").asInt()).isEqualTo(3);
        assertThat(json.at("/counts").toString())
                .isEqualTo("{\"all\":3,\"open\":1,\"closed\":2,\"forced\":0,\"cooling\":0,\"counting\":1}");
        assertThat(names(json)).containsExactly("rawg", "jikan", "igdb");
        assertThat(json.at("/breakers/0/state").asText()).isEqualTo("OPEN");
        assertThat(json.at("/breakers/0/route").asText()).isEqualTo("FALLBACK");
        assertThat(json.at("/breakers/0/lastFailure/text").asText()).contains("HTTP 503");
        assertThat(json.at("/breakers/2/why").asText()).isEqualTo("Closed, with no failures.");
    }

    @Test
    void searches_filters_and_pages() {
        app.open("rawg");
        assertThat(names(server.json("/api/breakers?search=G"))).containsExactly("rawg", "igdb");
        assertThat(names(server.json("/api/breakers?state=open"))).containsExactly("rawg");
        JsonNode second = server.json("/api/breakers?size=2&page=1");
        assertThat(names(second)).containsExactly("jikan");
        assertThat(second.at("/total").asInt()).isEqualTo(3);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {"size=0", "size=201", "size=x", "page=-1", "state=OPEN", "state=", "sort=name", "page=1&page=2"})
    void refuses_what_it_does_not_understand(String query) {
        HttpResponse<String> response = server.get(AdminServer.READER, "/api/breakers?" + query);
        if (query.equals("state=")) {
            assertThat(response.statusCode()).isEqualTo(200);
        } else {
            assertThat(response.statusCode()).isEqualTo(400);
            assertThat(AdminServer.json(response).at("/error/code").asText()).isEqualTo("bad-request");
        }
    }

    private static List<String> names(JsonNode json) {
        List<String> names = new ArrayList<>();
        json.at("/breakers").forEach(breaker -> names.add(breaker.at("/name").asText()));
        return names;
    }
}
