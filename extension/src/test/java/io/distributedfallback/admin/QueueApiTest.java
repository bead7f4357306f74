package io.distributedfallback.admin;

import com.fasterxml.jackson.databind.JsonNode;
import io.distributedfallback.queue.CallQuery;
import io.distributedfallback.queue.QueueCommand;
import io.distributedfallback.queue.QueueCommand.Action;
import java.net.http.HttpResponse;
import java.util.Optional;
import java.util.OptionalLong;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/** What the admin shows of stored calls, and lets operators do with them. */
class QueueApiTest {

    private static final String COMMANDS = "/api/queue-commands";

    private final Rooms app = Rooms.over(Rooms.database(), "mailer");
    private final Desk desk = new Desk();
    private final AdminServer server = AdminServer.of(app.room, desk.room());

    @AfterEach
    void stop() {
        server.close();
        app.close();
    }

    private HttpResponse<String> command(String user, String body) {
        return server.send(server.post(user, COMMANDS, body));
    }

    @Test
    void shows_how_many_calls_each_queue_holds() {
        JsonNode queue = server.json("/api/queues?breaker=mailer").at("/queues/0");
        assertThat(queue.path("method").asText()).isEqualTo(Desk.MAILS.method());
        assertThat(queue.path("pending").asLong()).isEqualTo(1);
        assertThat(queue.path("dead").asLong()).isEqualTo(1);
        assertThat(queue.path("declared").asBoolean()).isFalse();
        assertThat(server.json("/api/queues?breaker=rawg").path("queues")).isEmpty();
    }

    @Test
    void shows_calls_without_their_arguments() {
        JsonNode call = server.json("/api/queued-calls?breaker=mailer&state=DEAD&before=9&limit=2")
                .at("/calls/1");
        assertThat(desk.asked)
                .containsExactly(new CallQuery(Optional.of("mailer"), Optional.of(true), OptionalLong.of(9), 2));
        assertThat(call.path("id").asLong()).isEqualTo(7);
        assertThat(call.path("key").asText()).isEqualTo("customer <4711>");
        assertThat(call.path("lastError").asText()).isEqualTo("HTTP 422");
        assertThat(call.path("argumentBytes").asInt()).isEqualTo(17);
        assertThat(call.has("arguments")).isFalse();
    }

    @Test
    void refuses_what_it_does_not_understand() {
        assertThat(server.get(AdminServer.READER, "/api/queued-calls?state=dead")
                        .statusCode())
                .isEqualTo(400);
        for (String body : new String[] {
            "{}",
            Desk.RETRY.replace("RETRY", "BURY"),
            Desk.RETRY.replace("7", "0"),
            Desk.RETRY.replace("7", "\"7\""),
            Desk.RETRY.replace("the address is mended", " "),
            Desk.RETRY.replace("RETRY", "DISCARD").replace("\"call\":7", "\"call\":null"),
            Desk.RETRY.replace("\"call\"", "\"id\"")
        }) {
            assertThat(command(AdminServer.OPERATOR, body).statusCode())
                    .as(body)
                    .isEqualTo(400);
        }
        assertThat(desk.commanded).isEmpty();
    }

    @Test
    void carries_out_what_an_operator_wants_in_the_name_of_the_operator() {
        assertThat(AdminServer.json(command(AdminServer.OPERATOR, Desk.RETRY))
                        .path("calls")
                        .asLong())
                .isEqualTo(1);
        command(AdminServer.OPERATOR, Desk.RETRY.replace("\"call\":7,", ""));
        assertThat(desk.commanded)
                .containsExactly(
                        new QueueCommand(Action.RETRY, Desk.MAILS, OptionalLong.of(7), "otto", "the address is mended"),
                        new QueueCommand(
                                Action.RETRY, Desk.MAILS, OptionalLong.empty(), "otto", "the address is mended"));
    }

    @Test
    void says_if_the_call_is_gone() {
        assertThat(command(AdminServer.OPERATOR, Desk.RETRY.replace("7", "5")).statusCode())
                .isEqualTo(404);
    }

    @Test
    void lets_nobody_else_do_it() {
        assertThat(command(AdminServer.READER, Desk.RETRY).statusCode()).isEqualTo(403);
        assertThat(server.send(server.post(AdminServer.OPERATOR, COMMANDS, Desk.RETRY)
                                .setHeader("Sec-Fetch-Site", "cross-site"))
                        .statusCode())
                .isEqualTo(403);
        assertThat(desk.commanded).isEmpty();
    }

    @Test
    void shows_nothing_where_nothing_can_be_stored() {
        try (AdminServer plain = AdminServer.of(app.room)) {
            assertThat(plain.json("/api/queues").path("queues")).isEmpty();
            assertThat(plain.json("/api/queued-calls").path("calls")).isEmpty();
        }
    }
}
