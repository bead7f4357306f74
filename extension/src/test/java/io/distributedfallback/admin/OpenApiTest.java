package io.distributedfallback.admin;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.distributedfallback.BreakerState;
import io.distributedfallback.FailureKind;
import io.distributedfallback.OperatorCommand;
import io.distributedfallback.OverrideMode;
import io.distributedfallback.PushState;
import io.distributedfallback.RetryAfter;
import io.distributedfallback.Route;
import io.distributedfallback.core.Evidence;
import io.distributedfallback.core.Failures;
import io.distributedfallback.core.MemoryBreakerStore;
import io.distributedfallback.core.Policy;
import io.distributedfallback.core.ProbeVerdict;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.yaml.snakeyaml.LoaderOptions;
import org.yaml.snakeyaml.Yaml;
import org.yaml.snakeyaml.constructor.SafeConstructor;

import static org.assertj.core.api.Assertions.assertThat;

/** The description of the API is true: what it names is there, and what is there it names. */
class OpenApiTest {

    private final MemoryBreakerStore database = Rooms.database();
    private final Rooms app = Rooms.over(database, "rawg", "jikan", "igdb");
    private final AdminServer server = AdminServer.of(app.room, new Desk().room());
    private JsonNode api;

    /** The schemas that some answer had to fit. */
    private final Set<String> seen = new HashSet<>();

    @BeforeEach
    void read() {
        HttpResponse<String> response = server.get(AdminServer.READER, "/openapi.yaml");
        assertThat(response.statusCode()).isEqualTo(200);
        assertThat(response.headers().firstValue("Content-Type"))
                .hasValueSatisfying(type -> assertThat(type).startsWithIgnoringCase("application/yaml"));
        Object yaml = new Yaml(new SafeConstructor(new LoaderOptions())).load(response.body());
        api = new ObjectMapper().valueToTree(yaml);
    }

    @AfterEach
    void stop() {
        server.close();
        app.close();
    }

    @Test
    void each_path_that_it_names_is_there_with_that_method_and_with_no_other() {
        assertThat(fields(api.at("/paths")))
                .containsExactlyInAnyOrder(
                        "/",
                        "/openapi.yaml",
                        "/api/breakers",
                        "/api/breakers/{name}",
                        "/api/history",
                        "/api/commands",
                        "/api/queues",
                        "/api/queued-calls",
                        "/api/queue-commands",
                        "/api/events");
        for (String path : fields(api.at("/paths"))) {
            Set<String> named = fields(api.path("paths").path(path));
            HttpResponse<String> response =
                    server.send(server.request(AdminServer.OPERATOR, path.replace("{name}", "rawg"))
                            .method("DELETE", java.net.http.HttpRequest.BodyPublishers.noBody()));
            assertThat(response.statusCode()).as(path).isEqualTo(405);
            Set<String> allowed = new TreeSet<>(Arrays.asList(response.headers()
                    .firstValue("Allow")
                    .orElseThrow()
                    .toLowerCase(Locale.ROOT)
                    .split(", ", -1)));
            allowed.remove("head");
            assertThat(named).as(path).isEqualTo(allowed);
        }
    }

    @Test
    void each_answer_has_the_fields_that_it_names_and_no_others() throws Exception {
        rampUp("igdb");
        app.open("rawg");
        database.coolDown(
                "jikan",
                java.util.Optional.<RetryAfter>empty(),
                Failures.one(FailureKind.THROTTLED, "HTTP 429"),
                Policy.DEFAULT);
        String force = "{\"breaker\":\"rawg\",\"action\":\"FORCE_OPEN\",\"reason\":\"a test\",\"expirySeconds\":60}";
        fits("/api/commands", "post", "200", server.send(server.command(AdminServer.OPERATOR, force)));
        fits("/api/breakers", "get", "200", server.get(AdminServer.READER, "/api/breakers"));
        fits("/api/breakers/{name}", "get", "200", server.get(AdminServer.READER, "/api/breakers/rawg"));
        fits("/api/history", "get", "200", server.get(AdminServer.READER, "/api/history"));
        fits("/api/queues", "get", "200", server.get(AdminServer.READER, "/api/queues"));
        fits("/api/queued-calls", "get", "200", server.get(AdminServer.READER, "/api/queued-calls"));
        fits(
                "/api/queue-commands",
                "post",
                "200",
                server.send(server.post(AdminServer.OPERATOR, "/api/queue-commands", Desk.RETRY)));
        fits("/api/breakers", "get", "400", server.get(AdminServer.READER, "/api/breakers?size=0"));
        // Where there is a login, the server refuses whoever has no role, before the admin is asked.
        try (AdminServer open = AdminServer.withoutSecurity(app.room)) {
            fits("/api/breakers", "get", "403", open.get(null, "/api/breakers"));
        }
        fits("/api/breakers/{name}", "get", "404", server.get(AdminServer.READER, "/api/breakers/nobody"));
        fits("/api/commands", "post", "400", server.send(server.command(AdminServer.OPERATOR, "{}")));
        fits("/api/commands", "post", "403", server.send(server.command(AdminServer.READER, force)));
        assertThat(AdminServer.json(server.get(AdminServer.READER, "/api/breakers/igdb"))
                        .at("/recovery/rampUp/lengthMillis")
                        .asLong())
                .isEqualTo(3_600_000);
        fits(
                "/api/commands",
                "post",
                "413",
                server.send(server.command(AdminServer.OPERATOR, " ".repeat(Commands.MOST_BYTES + 1))));
        Set<String> never = fields(api.at("/components/schemas"));
        never.removeAll(seen);
        assertThat(never)
                .as("what is only sent, or needs a failure ratio or a database that is away")
                .containsExactly("Command", "Loss", "QueueCommand", "Window");
    }

    private void rampUp(String breaker) {
        Policy ramped = Policy.DEFAULT.toBuilder()
                .failureThreshold(1)
                .probeInterval(Duration.ofNanos(1))
                .rampUp(Duration.ofHours(1))
                .build();
        database.record(breaker, Evidence.of(Failures.one(FailureKind.OUTAGE, "HTTP 503")), ramped);
        long token = database.acquireProbe(breaker, ramped)
                .orElseThrow()
                .row()
                .recovery()
                .token();
        database.reportProbe(breaker, token, ProbeVerdict.PASS, ramped);
    }

    private void fits(String path, String method, String status, HttpResponse<String> response) {
        assertThat(response.statusCode()).as(response.body()).hasToString(status);
        JsonNode named = resolved(
                api.path("paths").path(path).path(method).path("responses").path(status));
        JsonNode schema = named.at("/content/application~1json/schema");
        assertThat(schema.isMissingNode()).as("%s %s", path, status).isFalse();
        fits(path, schema, AdminServer.json(response));
    }

    private void fits(String where, JsonNode given, JsonNode value) {
        JsonNode schema = resolved(given);
        if (value.isNull()) {
            assertThat(schema.path("nullable").asBoolean()).as(where).isTrue();
        } else if (schema.has("allOf")) {
            fits(where, schema.path("allOf").path(0), value);
        } else if (schema.has("additionalProperties")) {
            value.forEach(each -> fits(where, schema.path("additionalProperties"), each));
        } else if (schema.path("type").asText().equals("object")) {
            assertThat(fields(value)).as(where).isEqualTo(fields(schema.path("properties")));
            for (String field : fields(value)) {
                fits(where + "/" + field, schema.path("properties").path(field), value.path(field));
            }
        } else if (schema.path("type").asText().equals("array")) {
            assertThat(value.isArray()).as(where).isTrue();
            value.forEach(each -> fits(where + "[]", schema.path("items"), each));
        } else {
            assertThat(typeOf(value)).as(where).isEqualTo(schema.path("type").asText());
            if (schema.has("enum")) {
                assertThat(texts(schema.path("enum"))).as(where).contains(value.asText());
            }
        }
    }

    private static String typeOf(JsonNode value) {
        return value.isIntegralNumber() ? "integer" : value.isBoolean() ? "boolean" : "string";
    }

    private JsonNode resolved(JsonNode node) {
        String reference = node.path("$ref").asText("");
        if (reference.isEmpty()) {
            return node;
        }
        seen.add(reference.substring(reference.lastIndexOf('/') + 1));
        JsonNode target = api.at(reference.substring(1));
        assertThat(target.isMissingNode()).as(reference).isFalse();
        return target;
    }

    @Test
    void its_constants_are_those_of_the_code() {
        JsonNode breaker = api.at("/components/schemas/Breaker/properties");
        assertThat(texts(breaker.at("/state/enum"))).isEqualTo(names(BreakerState.values()));
        assertThat(texts(breaker.at("/route/enum"))).isEqualTo(names(Route.values()));
        assertThat(texts(api.at("/components/schemas/Override/properties/mode/enum")))
                .isEqualTo(names(OverrideMode.values()));
        assertThat(texts(api.at("/components/schemas/Action/enum"))).isEqualTo(names(OperatorCommand.Action.values()));
        assertThat(texts(api.at("/components/schemas/Copy/properties/push/enum")).stream()
                        .map(text -> text.toUpperCase(Locale.ROOT)))
                .containsExactlyInAnyOrderElementsOf(names(PushState.values()));
    }

    @Test
    void its_parameters_are_those_that_are_understood() {
        for (String path : List.of("/api/breakers", "/api/history", "/api/queues", "/api/queued-calls")) {
            JsonNode get = api.path("paths").path(path).path("get");
            String known = AdminServer.json(server.get(AdminServer.READER, path + "?unknown=1"))
                    .at("/error/message")
                    .asText();
            Set<String> named = new TreeSet<>();
            get.path("parameters")
                    .forEach(parameter -> named.add(parameter.path("name").asText()));
            assertThat(new TreeSet<>(
                            Arrays.asList(known.replaceFirst("^.* are ", "").split(", ", -1))))
                    .isEqualTo(named);
        }
    }

    private static Set<String> names(Enum<?>[] constants) {
        return new TreeSet<>(Stream.of(constants).map(Enum::name).toList());
    }

    private static Set<String> texts(JsonNode array) {
        List<String> texts = new ArrayList<>();
        array.forEach(each -> texts.add(each.asText()));
        return new TreeSet<>(texts);
    }

    private static Set<String> fields(JsonNode object) {
        Set<String> fields = new TreeSet<>();
        object.fieldNames().forEachRemaining(fields::add);
        return fields;
    }
}
