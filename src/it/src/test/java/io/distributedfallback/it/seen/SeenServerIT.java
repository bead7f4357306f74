package io.distributedfallback.it.seen;

import io.distributedfallback.it.harness.Http;
import io.distributedfallback.it.harness.LibertyServer;
import io.distributedfallback.it.harness.Places;
import io.distributedfallback.it.harness.Postgres;
import io.distributedfallback.it.harness.Reply;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
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

import static io.distributedfallback.it.harness.Eventually.eventually;
import static org.assertj.core.api.Assertions.assertThat;

/** One server from its first call to its redeployment, as an operator sees it. */
@TestMethodOrder(MethodOrderer.OrderAnnotation.class)
class SeenServerIT {

    private static final Duration PATIENCE = Duration.ofSeconds(30);
    private static final String CALLS = "distributedfallback_calls_total";

    private static Postgres postgres;
    private static Collector collector;
    private static LibertyServer server;

    @BeforeAll
    @Timeout(value = 4, unit = TimeUnit.MINUTES)
    static void start() {
        postgres = Postgres.empty();
        collector = new Collector();
        server = LibertyServer.launch(
                        "seen",
                        "liberty/seen-server.xml",
                        application(),
                        Map.of("db.port", Integer.toString(postgres.port())),
                        Map.of())
                .awaitReady();
    }

    private static WebArchive application() {
        return ShrinkWrap.create(WebArchive.class, "app.war")
                .addPackage("io.distributedfallback.it.seen.app")
                .addAsLibraries(Places.extensionJar())
                .addAsResource(
                        new StringAsset(String.join(
                                "\n",
                                "distributed-fallback.schema=create",
                                "distributed-fallback.snapshot.fresh=200ms",
                                "distributed-fallback.snapshot.max-age=1s",
                                "distributed-fallback.store.read-timeout=10s",
                                "distributed-fallback.store.write-timeout=10s",
                                "distributed-fallback.default.probe-interval=1s",
                                "distributed-fallback.default.probe-successes=1",
                                "distributed-fallback.breaker.payments.health=down-when-open",
                                "otel.sdk.disabled=false",
                                "otel.service.name=seen",
                                "otel.logs.exporter=none",
                                "otel.exporter.otlp.protocol=http/protobuf",
                                "otel.exporter.otlp.endpoint=" + collector.url(),
                                "otel.metric.export.interval=300",
                                "otel.bsp.schedule.delay=200",
                                "")),
                        "META-INF/microprofile-config.properties")
                .addAsWebInfResource(EmptyAsset.INSTANCE, "beans.xml");
    }

    @AfterAll
    static void stop() {
        if (server != null) {
            server.close();
        }
        collector.close();
        postgres.close();
    }

    @Test
    @Order(1)
    void metrics_tell_of_calls_by_path_and_result_and_of_the_store() throws Exception {
        awaitFirstRead();
        assertThat(ask("/search")).isEqualTo("primary");
        for (int i = 0; i < 5; i++) {
            assertThat(ask("/search?fails=true")).isEqualTo("fallback");
        }
        assertThat(value(CALLS, "breaker=\"rawg\"", "path=\"primary\"", "result=\"valueReturned\""))
                .isEqualTo(1);
        assertThat(value(CALLS, "breaker=\"rawg\"", "path=\"primary\"", "result=\"exceptionThrown\""))
                .isEqualTo(3);
        assertThat(value(CALLS, "breaker=\"rawg\"", "path=\"fallback\"", "result=\"valueReturned\""))
                .isEqualTo(5);
        assertThat(value("distributedfallback_open", "breaker=\"rawg\"")).isEqualTo(1);
        assertThat(value("distributedfallback_open", "breaker=\"payments\"")).isZero();
        assertThat(value("distributedfallback_opened_total", "breaker=\"rawg\""))
                .isEqualTo(1);
        assertThat(value("distributedfallback_failures_recorded_total")).isEqualTo(3);
        assertThat(value("distributedfallback_store_operations_total", "operation=\"record\"", "result=\"ok\""))
                .isBetween(1.0, 3.0);
        assertThat(value("distributedfallback_store_duration_seconds_count", "operation=\"read\""))
                .isPositive();
        assertThat(value("distributedfallback_store_up")).isEqualTo(1);
        assertThat(value("distributedfallback_copy_age")).isBetween(0.0, 30.0);
        assertThat(value("distributedfallback_state_total", "breaker=\"rawg\"", "state=\"open\""))
                .isPositive();
    }

    @Test
    @Order(2)
    void the_collector_gets_the_same_metrics_and_the_spans_of_fallbacks() {
        eventually(PATIENCE, () -> {
            assertThat(collector.received("metrics"))
                    .contains("distributedfallback.calls.total", "distributedfallback.open", "exceptionThrown")
                    .contains("distributedfallback.store.duration", "rawg");
            assertThat(collector.received("traces"))
                    .contains("fallback rawg", "distributedfallback.reason", "failed", "open");
        });
    }

    @Test
    @Order(3)
    void the_instance_is_ready_with_an_open_breaker_and_says_which() throws Exception {
        Reply ready = Http.get(server.root("/health/ready"));
        assertThat(ready.status()).as(ready.body()).isEqualTo(200);
        assertThat(ready.body()).contains("\"distributed-fallback\"", "\"breaker.rawg\":\"open\"");
    }

    @Test
    @Order(4)
    void probes_are_counted_and_have_traces_of_their_own() throws Exception {
        assertThat(ask("/mend")).isEqualTo("mended");
        eventually(PATIENCE, () -> assertThat(ask("/search")).isEqualTo("primary"));
        assertThat(value("distributedfallback_probes_total", "breaker=\"rawg\"", "verdict=\"pass\""))
                .isEqualTo(1);
        assertThat(value("distributedfallback_open", "breaker=\"rawg\"")).isZero();
        eventually(
                PATIENCE,
                () -> assertThat(collector.received("traces")).contains("probe rawg", "distributedfallback.verdict"));
    }

    @Test
    @Order(5)
    void readiness_follows_the_breaker_that_is_meant_to_and_wakes_its_probe() throws Exception {
        for (int i = 0; i < 3; i++) {
            assertThat(ask("/pay?fails=true")).isEqualTo("fallback");
        }
        Reply ready = Http.get(server.root("/health/ready"));
        assertThat(ready.status()).as(ready.body()).isEqualTo(503);
        // Nobody calls any more, and yet the provider is asked.
        eventually(PATIENCE, () -> {
            Reply unused = Http.get(server.root("/health/ready"));
            assertThat(value("distributedfallback_probes_total", "breaker=\"payments\"", "verdict=\"fail\""))
                    .isPositive();
        });
        assertThat(Http.get(server.root("/health/live")).status()).isEqualTo(200);
    }

    @Test
    @Order(6)
    @Timeout(value = 4, unit = TimeUnit.MINUTES)
    void after_a_redeployment_nothing_is_there_twice_and_counting_begins_anew() throws Exception { // E5
        server.redeploy(application());
        server.awaitReady();
        awaitFirstRead();
        assertThat(ask("/search")).isEqualTo("primary");
        assertThat(value(CALLS, "breaker=\"rawg\"", "path=\"primary\"", "result=\"valueReturned\""))
                .isEqualTo(1);
        assertThat(value(CALLS, "breaker=\"rawg\"", "path=\"primary\"", "result=\"exceptionThrown\""))
                .isZero();
        assertThat(value("distributedfallback_open", "breaker=\"payments\"")).isEqualTo(1);
        List<String> ours = lines().filter(line -> line.startsWith("distributedfallback_"))
                .map(line -> line.substring(0, line.lastIndexOf(' ')))
                .toList();
        assertThat(ours).doesNotHaveDuplicates();
        eventually(PATIENCE, () -> assertThat(collector.last("metrics")).contains("distributedfallback.calls.total"));
        assertThat(server.log()).doesNotContain("DFB503", "SRVE0777E", "NoClassDefFoundError");
    }

    /** Before that, on a slow machine, the instance would keep its breakers to itself. */
    private static void awaitFirstRead() {
        eventually(
                PATIENCE,
                () -> assertThat(value("distributedfallback_copy_age")).isNotNaN());
    }

    private static String ask(String path) throws Exception {
        Reply reply = Http.get(server.uri(path));
        assertThat(reply.status()).as(reply.body()).isEqualTo(200);
        return reply.body();
    }

    private static Stream<String> lines() throws Exception {
        return Http.get(server.root("/metrics")).body().lines();
    }

    /** The one value of a metric with these tags. */
    private static double value(String metric, String... tags) throws Exception {
        List<String> all =
                lines().filter(line -> line.startsWith("distributedfallback_")).toList();
        List<String> found = all.stream()
                .filter(line -> line.startsWith(metric + "{") || line.startsWith(metric + " "))
                .filter(line -> Stream.of(tags).allMatch(line::contains))
                .toList();
        assertThat(found)
                .as("%s with %s in%n%s", metric, List.of(tags), String.join("\n", all))
                .hasSize(1);
        return Double.parseDouble(found.get(0).substring(found.get(0).lastIndexOf(' ') + 1));
    }
}
