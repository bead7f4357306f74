package io.distributedfallback.sample;

import jakarta.json.Json;
import jakarta.json.JsonObject;
import java.io.IOException;
import java.io.InputStream;
import java.io.StringReader;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.Statement;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

/**
 * The sample as a newcomer gets it, but for its probes, which come once a second, its last good anime, which is too old after
 * two, and without a ramp-up.
 */
class SampleIT {

    private static final Duration PATIENCE = Duration.ofSeconds(30);

    private static final HttpClient HTTP =
            HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build();

    private static Database database;
    private static RunningSample sample;

    @BeforeAll
    static void start() throws IOException, InterruptedException {
        Path target = Path.of("target").toAbsolutePath();
        database = Database.embedded(target.resolve("postgres-it"));
        sample = RunningSample.start(
                target.resolve("liberty/wlp"),
                database,
                RunningSample.boundAndReleased(0),
                Map.of(
                        "DISTRIBUTED_FALLBACK_DEFAULT_PROBE_INTERVAL",
                        "1s",
                        "DISTRIBUTED_FALLBACK_BREAKER_RAWG_RAMP_UP",
                        "off",
                        "IO_DISTRIBUTEDFALLBACK_SAMPLE_ANIME_ANIMECATALOG_HIGHLIGHTS_LASTGOOD_MAXAGE",
                        "2s"));
        sample.awaitAnswers();
    }

    @AfterAll
    static void stop() {
        if (sample != null) {
            sample.close();
        }
    }

    @BeforeEach
    void all_providers_are_healthy_and_both_breakers_closed() throws Exception {
        send("DELETE", "simulator/admin", "");
        await(() -> search("games").equals("RAWG") && search("anime").equals("Jikan"));
    }

    @Test
    void serves_a_page_that_may_load_nothing_from_elsewhere() throws Exception {
        HttpResponse<String> page = send("GET", "", "");

        assertThat(page.body()).contains("<title>Distributed Fallback: the sample</title>");
        assertThat(page.headers().firstValue("Content-Security-Policy"))
                .hasValueSatisfying(policy -> assertThat(policy).startsWith("default-src 'none'"));
    }

    @Test
    void goes_to_igdb_after_three_failures_of_rawg_and_back_after_three_probes() throws Exception {
        int before = simulated("rawg").getInt("searches");
        tell("rawg", "{\"condition\":\"failing\",\"status\":522}");

        for (int visitor = 0; visitor < 6; visitor++) {
            assertThat(search("games")).isEqualTo("IGDB");
        }
        assertThat(breaker("rawg").getString("state")).isEqualTo("OPEN");
        assertThat(simulated("rawg").getInt("searches")).isEqualTo(before + 3);

        tell("rawg", "{\"condition\":\"healthy\"}");
        int probes = simulated("rawg").getInt("lookups");
        await(() -> search("games").equals("RAWG"));
        assertThat(breaker("rawg").getString("state")).isEqualTo("CLOSED");
        assertThat(simulated("rawg").getInt("lookups")).isEqualTo(probes + 3);
    }

    @Test
    void leaves_jikan_alone_for_as_long_as_it_asks() throws Exception {
        tell("jikan", "{\"condition\":\"throttled\",\"retryAfterSeconds\":2}");

        assertThat(search("anime")).isEqualTo("MyAnimeList");
        tell("jikan", "{\"condition\":\"healthy\"}");
        int asked = simulated("jikan").getInt("searches");
        assertThat(search("anime")).isEqualTo("MyAnimeList");
        assertThat(simulated("jikan").getInt("searches")).isEqualTo(asked);

        await(() -> search("anime").equals("Jikan"));
        assertThat(breaker("jikan").getString("state")).isEqualTo("CLOSED");
    }

    @Test
    void shows_highlights_of_which_a_part_is_old_or_missing_and_says_so() throws Exception {
        assertThat(highlights().getBoolean("degraded")).isFalse();
        tell("rawg", "{\"condition\":\"failing\",\"status\":500}");
        tell("jikan", "{\"condition\":\"failing\",\"status\":500}");

        HttpResponse<String> response = send("GET", "api/highlights", "");

        JsonObject old = object(response);
        assertThat(old.getBoolean("degraded")).isTrue();
        assertThat(old.getJsonObject("games").getString("provider")).isEqualTo("RAWG");
        assertThat(old.getJsonArray("unavailableServices")).isEmpty();
        assertThat(old.getJsonArray("rungs").getString(0)).startsWith("rawg: LAST_GOOD");
        assertThat(response.headers().firstValue("Degraded"))
                .hasValueSatisfying(
                        header -> assertThat(header).contains("rawg").contains("rung=last-good"));
        await(() -> !highlights().containsKey("anime"));
        assertThat(highlights().getJsonArray("unavailableServices").getString(0))
                .isEqualTo("jikan");
    }

    @Test
    void keeps_mails_until_the_mail_service_is_back() throws Exception {
        tell("sendgrid", "{\"condition\":\"failing\",\"status\":503}");
        assertThat(send("PUT", "api/watchlist/Iron%20Garden", "").statusCode()).isEqualTo(200);
        assertThat(send("DELETE", "api/watchlist/Iron%20Garden", "").statusCode())
                .isEqualTo(200);
        assertThat(send("PUT", "api/watchlist/Iron%20Garden", "").statusCode()).isEqualTo(200);
        await(() -> breaker("sendgrid").getString("state").equals("OPEN"));
        int asked = simulated("sendgrid").getInt("searches");
        assertThat(send("DELETE", "api/watchlist/Iron%20Garden", "").statusCode())
                .isEqualTo(200);
        assertThat(simulated("sendgrid").getInt("searches")).isEqualTo(asked);

        tell("sendgrid", "{\"condition\":\"healthy\"}");

        AtomicInteger visitors = new AtomicInteger();
        await(() -> {
            // Somebody has to come by, or no probe is made.
            send("PUT", "api/watchlist/Star%20Ferry", "");
            visitors.incrementAndGet();
            return breaker("sendgrid").getString("state").equals("CLOSED");
        });
        await(() -> simulated("sendgrid").getInt("searches") >= asked + 4 + visitors.get());
        assertThat(send("DELETE", "api/watchlist/Star%20Ferry", "").statusCode())
                .isEqualTo(200);
    }

    @Test
    void keeps_the_watchlist_in_the_tables_of_the_application() throws Exception {
        assertThat(send("PUT", "api/watchlist/Star%20Ferry", "").body()).contains("Star Ferry");
        assertThat(send("DELETE", "api/watchlist/Star%20Ferry", "").body()).doesNotContain("Star Ferry");
    }

    @Test
    void needs_no_more_rights_than_the_grants_give() throws Exception {
        String grants = resource("/postgresql/grants.sql")
                .replaceAll("(?m)^\\\\set .*$", "")
                .replace(":\"app_role\"", "visitor");
        try (Connection connection = database.connect();
                Statement statement = connection.createStatement()) {
            connection.setAutoCommit(false);
            statement.execute("CREATE ROLE visitor");
            statement.execute(grants);
            statement.execute("SET LOCAL ROLE visitor");
            statement.execute("SELECT name FROM distributed_breaker FOR UPDATE");
            statement.execute("SELECT id FROM distributed_breaker_transition");
            statement.execute("DELETE FROM distributed_breaker WHERE name = 'retired'");
            statement.execute("DELETE FROM distributed_breaker_transition WHERE made_at < now() - INTERVAL '90 days'");
            assertThatThrownBy(() -> statement.execute("UPDATE distributed_breaker_transition SET instance = 'nobody'"))
                    .hasMessageContaining("permission denied");
        }
    }

    private static String resource(String name) throws IOException {
        try (InputStream stream = SampleIT.class.getResourceAsStream(name)) {
            return new String(stream.readAllBytes(), StandardCharsets.UTF_8);
        }
    }

    private static String search(String kind) throws IOException, InterruptedException {
        return object(send("GET", "api/" + kind + "?q=moon", "")).getString("provider", "nobody");
    }

    private static JsonObject highlights() throws IOException, InterruptedException {
        return object(send("GET", "api/highlights", ""));
    }

    private static JsonObject breaker(String name) throws IOException, InterruptedException {
        return object(send("GET", "api/breakers", "")).getJsonArray("breakers").getValuesAs(JsonObject.class).stream()
                .filter(breaker -> breaker.getString("name").equals(name))
                .findFirst()
                .orElseThrow();
    }

    private static JsonObject simulated(String provider) throws IOException, InterruptedException {
        return object(send("GET", "simulator/admin/" + provider, ""));
    }

    private static void tell(String provider, String condition) throws IOException, InterruptedException {
        assertThat(send("PUT", "simulator/admin/" + provider, condition).statusCode())
                .isEqualTo(200);
    }

    private static HttpResponse<String> send(String method, String path, String body)
            throws IOException, InterruptedException {
        return HTTP.send(
                HttpRequest.newBuilder(sample.address().resolve(path))
                        .method(method, BodyPublishers.ofString(body))
                        .header("Content-Type", "application/json")
                        .timeout(PATIENCE)
                        .build(),
                BodyHandlers.ofString());
    }

    private static JsonObject object(HttpResponse<String> response) {
        return Json.createReader(new StringReader(response.body())).readObject();
    }

    private static void await(Callable<Boolean> condition) throws Exception {
        long start = System.nanoTime();
        while (!condition.call()) {
            assertThat(System.nanoTime() - start).as("nanoseconds waited").isLessThan(PATIENCE.toNanos());
            Thread.sleep(200);
        }
    }
}
