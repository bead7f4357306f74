package io.distributedfallback.admin;

import com.fasterxml.jackson.databind.ObjectMapper;
import io.distributedfallback.core.ControlRoom;
import io.distributedfallback.core.MemoryBreakerStore;
import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.function.Supplier;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

import static org.assertj.core.api.Assertions.assertThat;

/** Requests that no well-behaved client sends, byte for byte. */
@Timeout(60)
class HostileRequestsTest {

    private static final String FORCE_OPEN =
            "{\"breaker\":\"rawg\",\"action\":\"FORCE_OPEN\",\"reason\":\"maintenance\"}";

    private final MemoryBreakerStore database = Rooms.database();
    private final Rooms app = Rooms.over(database, "rawg");
    private final AdminServer server = AdminServer.of(app.room);

    @AfterEach
    void stop() {
        server.close();
        app.close();
    }

    /** An answer as it came. */
    private record Answer(int status, String head, String body) {

        String errorCode() throws IOException {
            return new ObjectMapper().readTree(body).at("/error/code").asText();
        }
    }

    private static Answer send(AdminServer server, String method, String path, String headers, String body)
            throws IOException {
        String credentials =
                Base64.getEncoder().encodeToString((AdminServer.OPERATOR + ":secret").getBytes(StandardCharsets.UTF_8));
        String request = method + " /shop/breakers-admin" + path + " HTTP/1.1\r\n"
                + (headers.contains("Host:") ? "" : "Host: 127.0.0.1:" + server.port() + "\r\n")
                + "Authorization: Basic " + credentials + "\r\nConnection: close\r\n" + headers + "\r\n" + body;
        try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), server.port())) {
            socket.getOutputStream().write(request.getBytes(StandardCharsets.UTF_8));
            socket.getOutputStream().flush();
            String answer = new String(socket.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
            int end = answer.indexOf("\r\n\r\n");
            return new Answer(
                    Integer.parseInt(answer.split(" ", 3)[1]), answer.substring(0, end), answer.substring(end + 4));
        }
    }

    private Answer get(String path) throws IOException {
        return send(server, "GET", path, "", "");
    }

    private Answer command(String headers, String body) throws IOException {
        return send(
                server,
                "POST",
                "/api/commands",
                "X-Distributed-Fallback: command\r\nContent-Type: application/json\r\n" + headers,
                body);
    }

    @ParameterizedTest
    @ValueSource(strings = {"search=%zz", "search=%", "search=%ff", "search=%c0%ae", "search=%ed%a0%80", "%zz=1"})
    void a_query_that_is_no_text_is_the_fault_of_whoever_sent_it(String query) throws Exception {
        Answer answer = get("/api/breakers?" + query);
        assertThat(answer.status()).as(answer.body()).isEqualTo(400);
        assertThat(answer.errorCode()).isEqualTo("bad-request");
    }

    @ParameterizedTest
    @ValueSource(strings = {"/api/history?breaker=%00", "/api/history?breaker=a%0ab", "/api/breakers?search=%00"})
    void a_parameter_that_no_name_can_hold_never_gets_to_the_store(String path) throws Exception {
        Answer answer = get(path);
        assertThat(answer.status()).as(answer.body()).isEqualTo(400);
        assertThat(answer.errorCode()).isEqualTo("bad-request");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "page=2147483648",
                "page=-2147483649",
                "size=4294967297",
                "size=1e1",
                "size=%D9%A5",
                "page=9223372036854775808"
            })
    void a_number_that_is_none_or_too_large_is_refused(String query) throws Exception {
        assertThat(get("/api/breakers?" + query).status()).isEqualTo(400);
    }

    @Test
    void the_last_page_that_can_be_asked_for_is_empty() throws Exception {
        assertThat(get("/api/breakers?page=2147483647&size=200").body()).contains("\"breakers\":[]");
        assertThat(get("/api/history?before=9223372036854775807&limit=500").status())
                .isEqualTo(200);
    }

    @ParameterizedTest
    @CsvSource({"TRACE,/api/breakers,405", "TRACE,/api/commands,405", "PROPFIND,/api/history,405", "get,/,405"})
    void methods_that_nobody_needs_are_not_allowed(String method, String path, int status) throws Exception {
        Answer answer = send(server, method, path, "", "");
        assertThat(answer.status()).isEqualTo(status);
        assertThat(answer.body()).doesNotContain("Authorization");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "/api/breakers;x=y/rawg;z",
                "/api/breakers/..%2frawg",
                "/api/breakers/%2e%2e%2frawg",
                "/api/breakers/%252e%252e%252frawg",
                "/api/breakers/rawg/",
                "/api/breakers/rawg%2f",
                "/api/breakers/%72awg%00",
                "/api//breakers/rawg",
                "/api/./breakers/../breakers/rawg/.",
                "/api%2fbreakers/rawg",
                "/API/breakers"
            })
    void a_path_that_could_mean_two_things_means_nothing(String path) throws Exception {
        Answer answer = get(path);
        assertThat(answer.status()).as(answer.body()).isIn(400, 404);
        assertThat(answer.body()).doesNotContain("\"state\"");
    }

    @ParameterizedTest
    @CsvSource({
        "shop.example,http://shop.example",
        "SHOP.example,https://shop.EXAMPLE",
        "shop.example:443,https://shop.example",
        "shop.example:80,http://shop.example",
        "[::1]:9080,http://[::1]:9080",
        "shop.example:8443,https://shop.example:8443"
    })
    void the_same_host_is_the_same_however_it_is_written(String host, String origin) throws Exception {
        Answer answer = command(
                "Host: " + host + "\r\nOrigin: " + origin + "\r\nContent-Length: " + FORCE_OPEN.length() + "\r\n",
                FORCE_OPEN);
        assertThat(answer.status()).as(answer.body()).isEqualTo(200);
    }

    @ParameterizedTest
    @CsvSource({
        "shop.example:80,https://shop.example",
        "shop.example:443,http://shop.example",
        "shop.example:8443,https://shop.example",
        "shop.example,https://shop.example:8443",
        "shop.example,https://evil@shop.example",
        "shop.example,https://shop.example.evil.example",
        "shop.example,https://shop.example https://evil.example",
        "shop.example,https:shop.example",
        "[::1],http://[::2]",
        "shop.example,null"
    })
    void another_one_is_refused_whatever_a_forwarding_header_says(String host, String origin) throws Exception {
        Answer answer = command(
                "Host: " + host + "\r\nOrigin: " + origin + "\r\nX-Forwarded-Host: shop.example:8443\r\nForwarded:"
                        + " host=\"shop.example:8443\"\r\nContent-Length: " + FORCE_OPEN.length() + "\r\n",
                FORCE_OPEN);
        assertThat(answer.status()).as(answer.body()).isEqualTo(403);
        assertThat(database.readAll()).isEmpty();
    }

    @Test
    void a_body_whose_parts_are_broken_is_refused_in_json() throws Exception {
        Answer answer = command("Transfer-Encoding: chunked\r\n", "zz\r\n" + FORCE_OPEN + "\r\n0\r\n\r\n");
        assertThat(answer.status()).as(answer.body()).isEqualTo(400);
        assertThat(answer.errorCode()).isEqualTo("bad-request");
        assertThat(database.readAll()).isEmpty();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "\ufeff" + FORCE_OPEN,
                FORCE_OPEN + FORCE_OPEN,
                FORCE_OPEN + "\u0000",
                "{\"breaker\":\"rawg\",\"br\\u0065aker\":\"jikan\",\"action\":\"RESET\",\"reason\":\"x\"}",
                "{\"breaker\":\"rawg\",\"action\":\"FORCE_OPEN\",\"reason\":\"x\",\"expirySeconds\":1e9}",
                "{\"breaker\":\"rawg\",\"action\":\"FORCE_OPEN\",\"reason\":\"x\",\"expirySeconds\":6.0}",
                "{\"breaker\":\"rawg\",\"action\":\"FORCE_OPEN\",\"reason\":\"\\udca5\\ud83d\"}",
                "{\"breaker\":\"rawg\",\"action\":\"FORCE_OPEN\",\"reason\":nullx}",
                "{\"breaker\":\"rawg\",\"action\":\"FORCE_OPEN\",\"reason\":\"x\",}",
                "{\"breaker\":\"rawg\",\"action\":\"FORCE_OPEN\",\"reason\":\"a\u202eb\"}",
                "{\"breaker\":\"rawg\",\"action\":\"FORCE_OPEN\",\"reason\":\"a\u2028b\"}"
            })
    void a_body_that_two_readers_could_read_in_two_ways_is_refused(String body) throws Exception {
        int length = body.getBytes(StandardCharsets.UTF_8).length;
        Answer answer = command("Content-Length: " + length + "\r\n", body);
        assertThat(answer.status()).as(answer.body()).isEqualTo(400);
        assertThat(answer.errorCode()).isEqualTo("bad-request");
        assertThat(database.readAll()).isEmpty();
    }

    @Test
    void a_body_as_deep_as_it_can_be_is_refused_at_its_first_step() throws Exception {
        String deep = "{\"breaker\":" + "[".repeat(Commands.MOST_BYTES - 100);
        assertThat(command("Content-Length: " + deep.length() + "\r\n", deep).status())
                .isEqualTo(400);
    }

    @Test
    void an_application_without_the_classes_of_beans_is_not_ready_and_says_so() throws Exception {
        Supplier<ControlRoom> missing = () -> {
            throw new NoClassDefFoundError("jakarta/enterprise/inject/spi/CDI");
        };
        try (AdminServer bare = AdminServer.of(missing)) {
            for (String path : new String[] {"/api/breakers", "/api/events", "/api/history"}) {
                Answer answer = send(bare, "GET", path, "", "");
                assertThat(answer.status()).as(answer.body()).isEqualTo(503);
                assertThat(answer.errorCode()).isEqualTo("not-ready");
            }
        }
    }
}
