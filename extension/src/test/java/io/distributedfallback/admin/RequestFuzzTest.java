package io.distributedfallback.admin;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.distributedfallback.OperatorCommand;
import io.distributedfallback.core.MemoryBreakerStore;
import io.distributedfallback.fuzz.Fuzz;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.Socket;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Base64;
import java.util.Locale;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

/** A request is answered, or refused in JSON: never by a stack trace, and never by doing what nobody meant. */
@Timeout(60)
class RequestFuzzTest {

    private static final ObjectMapper JSON = new ObjectMapper();
    private static final String FORCE_OPEN =
            "{\"breaker\":\"rawg\",\"action\":\"FORCE_OPEN\",\"reason\":\"why\",\"expirySeconds\":60}";

    private final MemoryBreakerStore database = Rooms.database();
    private final Rooms app = Rooms.over(database, "rawg", "a/b", "mailer");
    private final Desk desk = new Desk();
    private final AdminServer server = AdminServer.of(app.room, desk.room());

    @AfterEach
    void stop() {
        server.close();
        app.close();
    }

    private static byte[] bytes(String text) {
        return text.getBytes(StandardCharsets.UTF_8);
    }

    @Test
    void a_body_is_a_command_or_a_bad_request() {
        Fuzz.run(3_000, fuzz -> {
            byte[] body = bytes(fuzz.oneIn(10) ? fuzz.text(30) : fuzz.mutated(FORCE_OPEN));
            if (fuzz.oneIn(5) && body.length > 0) {
                body[fuzz.below(body.length)] = (byte) fuzz.below(256);
            }
            try {
                OperatorCommand command = CommandText.parse(body).command("ann");
                JsonNode read = JSON.readTree(body);
                assertThat(command.reason()).isEqualTo(read.path("reason").asText());
                assertThat(command.action().name())
                        .isEqualTo(read.path("action").asText());
            } catch (Refusal refusal) {
                assertThat(refusal.status()).isEqualTo(400);
                assertThat(refusal.getMessage().chars()).noneMatch(Character::isISOControl);
            } catch (IOException e) {
                throw new UncheckedIOException("read here, and by nobody else", e);
            }
        });
    }

    @Test
    void what_another_writer_of_json_writes_is_read_as_it_was_meant() {
        Fuzz.run(1_000, fuzz -> {
            String name = fuzz.text(10).replaceAll("[\\ud800-\\udfff]", "x");
            ObjectNode written = JSON.createObjectNode().put("breaker", name).put("action", "RESET");
            written.put("reason", fuzz.word(9)).putNull("expirySeconds");

            assertThat(CommandText.parse(bytes(written.toString())).breaker()).isEqualTo(name);
        });
    }

    @Test
    void a_body_that_breaks_off_anywhere_is_refused() {
        byte[] whole = bytes(FORCE_OPEN);
        for (int end = 0; end < whole.length; end++) {
            byte[] part = Arrays.copyOf(whole, end);
            assertThatThrownBy(() -> CommandText.parse(part))
                    .as("after %d bytes", end)
                    .isInstanceOf(Refusal.class);
        }
        assertThat(CommandText.parse(whole).breaker()).isEqualTo("rawg");
    }

    @Test
    void an_answer_can_be_read_by_others_whatever_texts_it_holds() {
        Fuzz.run(1_000, fuzz -> {
            String text = fuzz.text(20).replaceAll("[\\ud800-\\udfff]", "x");
            String json = JsonText.of(java.util.Map.of(text, text));
            try {
                assertThat(JSON.readTree(json).path(text).asText()).isEqualTo(text);
            } catch (IOException e) {
                throw new UncheckedIOException(json, e);
            }
            assertThat(json).doesNotContain("<", ">", "&", "'", "\u2028", "\u2029", "\n");
        });
    }

    /** As it is: clients mend what they send. */
    private String send(String method, String target) throws IOException {
        String login = Base64.getEncoder().encodeToString(bytes(AdminServer.OPERATOR + ":secret"));
        try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), server.port())) {
            socket.setSoTimeout(20_000);
            socket.getOutputStream()
                    .write(bytes(method + " /shop/breakers-admin" + target + " HTTP/1.1\r\nHost: 127.0.0.1\r\n"
                            + "Authorization: Basic " + login + "\r\nConnection: close\r\n\r\n"));
            socket.getOutputStream().flush();
            return new String(socket.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        }
    }

    @Test
    void a_target_is_answered_or_refused_and_is_never_a_fault_of_ours() {
        Fuzz.run(150, fuzz -> {
            String right = fuzz.oneOf(
                    "/api/breakers",
                    "/api/breakers/rawg",
                    "/api/breakers/a%2fb",
                    "/api/breakers?search=ra&page=1&size=20",
                    "/api/history?breaker=rawg&before=9&limit=5",
                    "/api/queues?breaker=mailer",
                    "/api/queued-calls?breaker=mailer&state=DEAD&before=9&limit=5",
                    "/openapi.yaml");
            String target = fuzz.mutated(right).replaceAll("[\\s\\p{Cntrl}\\p{Cs}]", "");
            String answer;
            try {
                answer = send(fuzz.oneOf("GET", "GET", "HEAD"), "/" + target.replaceFirst("^/", ""));
            } catch (IOException e) {
                throw new UncheckedIOException(target, e);
            }
            int status = Integer.parseInt(answer.split(" ", 3)[1]);
            assertThat(status).as(target + "\n" + answer).isIn(200, 302, 400, 403, 404, 405, 414);
            assertThat(answer.toLowerCase(Locale.ROOT)).as(target).doesNotContain("exception", "\tat ");
        });
    }

    @ParameterizedTest
    @ValueSource(strings = {"\\u0000", "\\n2026-11-30 ERROR forged", "\\u001b[31m", "\\u0085"})
    void a_control_character_in_the_name_of_a_queue_never_gets_to_the_store(String character) {
        for (String field :
                new String[] {"mailer", "com.example.Mails#send(java.lang.String)", "the address is mended"}) {
            HttpResponse<String> answer = server.send(server.post(
                    AdminServer.OPERATOR, "/api/queue-commands", Desk.RETRY.replace(field, field + character)));

            assertThat(answer.statusCode()).as(answer.body()).isEqualTo(400);
        }
        assertThat(desk.commanded).isEmpty();
    }

    @ParameterizedTest
    @ValueSource(strings = {"\u2028", "\u202e"})
    void a_reason_about_stored_calls_keeps_to_its_line_as_any_other_does(String character) {
        HttpResponse<String> answer = server.send(server.post(
                AdminServer.OPERATOR, "/api/queue-commands", Desk.RETRY.replace("mended", "mended" + character)));

        assertThat(answer.statusCode()).as(answer.body()).isEqualTo(400);
    }

    @Test
    void a_reason_about_stored_calls_gives_away_no_secret() {
        server.send(server.post(
                AdminServer.OPERATOR, "/api/queue-commands", Desk.RETRY.replace("mended", "http://joe:hunter2@h/")));

        assertThat(desk.commanded)
                .singleElement()
                .satisfies(command -> assertThat(command.reason()).isEqualTo("the address is http://***@h/"));
    }
}
