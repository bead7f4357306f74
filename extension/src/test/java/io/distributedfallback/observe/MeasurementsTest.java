package io.distributedfallback.observe;

import io.distributedfallback.core.CallMeter;
import io.distributedfallback.core.Instruments;
import io.distributedfallback.core.LimitReason;
import io.distributedfallback.core.StoreMeter.Operation;
import io.opentelemetry.sdk.OpenTelemetrySdk;
import io.opentelemetry.sdk.metrics.SdkMeterProvider;
import io.opentelemetry.sdk.metrics.data.MetricData;
import io.opentelemetry.sdk.metrics.data.MetricDataType;
import io.opentelemetry.sdk.testing.exporter.InMemoryMetricReader;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import org.assertj.core.data.Offset;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/** What a breaker does, in both metrics APIs, under the same names and with the same numbers. */
class MeasurementsTest {

    private static final String CALLS = "distributedfallback.calls.total{breaker=rawg, path=";

    private final TestRegistry registry = new TestRegistry();
    private final InMemoryMetricReader reader = InMemoryMetricReader.create();
    private final OpenTelemetrySdk telemetry = OpenTelemetrySdk.builder()
            .setMeterProvider(
                    SdkMeterProvider.builder().registerMetricReader(reader).build())
            .build();
    private final List<Measurements> all = List.of(
            new Measurements(new MicroProfileMetrics(registry.registry())),
            new Measurements(new OpenTelemetryMetrics(telemetry)));
    private final SeenBreakers seen = new SeenBreakers(new Listeners(all.get(0), all.get(1)), new Instruments() {
        @Override
        public Optional<CallMeter> meter(String breaker) {
            List<CallMeter> meters = new ArrayList<>();
            all.forEach(each -> each.meter(breaker).ifPresent(meters::add));
            return Optional.of(outcome -> meters.forEach(meter -> meter.count(outcome)));
        }
    });

    MeasurementsTest() {
        all.forEach(each -> each.read(seen.breakers.readings()));
    }

    @Test
    void calls_are_counted_by_path_and_result() throws Exception {
        SeenBreakers.succeed(seen.rawg());
        seen.open(seen.rawg());
        SeenBreakers.succeed(seen.rawg());
        inBoth(values -> assertThat(values)
                .containsEntry(CALLS + "primary, result=valueReturned}", 1.0)
                .containsEntry(CALLS + "primary, result=exceptionThrown}", 3.0)
                .containsEntry(CALLS + "fallback, result=valueReturned}", 4.0)
                .containsEntry(CALLS + "fallback, result=exceptionThrown}", 0.0)
                .containsEntry(CALLS + "rejected, result=exceptionThrown}", 0.0));
    }

    @Test
    void an_open_primary_gets_no_call_and_the_ninth_goes_to_the_fallback_without_a_try() throws Exception { // E9
        for (int i = 0; i < 9; i++) {
            SeenBreakers.fail(seen.rawg());
        }
        inBoth(values -> assertThat(values)
                .containsEntry(CALLS + "primary, result=exceptionThrown}", 3.0)
                .containsEntry(CALLS + "fallback, result=valueReturned}", 9.0));
    }

    @Test
    void state_openings_and_probes_are_seen() throws Exception {
        seen.pass(Duration.ofSeconds(10));
        seen.open(seen.rawg());
        inBoth(values -> assertThat(values)
                .containsEntry("distributedfallback.open{breaker=rawg}", 1.0)
                .containsEntry("distributedfallback.opened.total{breaker=rawg}", 1.0));
        seen.probeFailure = SeenBreakers.down();
        seen.pass(Duration.ofSeconds(15));
        SeenBreakers.succeed(seen.rawg());
        seen.probeFailure = null;
        seen.pass(Duration.ofSeconds(15));
        SeenBreakers.succeed(seen.rawg());
        seen.pass(Duration.ofSeconds(5));
        inBoth(values -> assertThat(values)
                .containsEntry("distributedfallback.open{breaker=rawg}", 0.0)
                .containsEntry("distributedfallback.opened.total{breaker=rawg}", 1.0)
                .containsEntry("distributedfallback.probes.total{breaker=rawg, verdict=fail}", 1.0)
                .containsEntry("distributedfallback.probes.total{breaker=rawg, verdict=pass}", 1.0)
                .containsEntry("distributedfallback.state.total{breaker=rawg, state=open}", 30e9)
                .containsEntry("distributedfallback.state.total{breaker=rawg, state=forcedOpen}", 0.0)
                .hasEntrySatisfying(
                        "distributedfallback.state.total{breaker=rawg, state=closed}",
                        nanos -> assertThat(nanos).isEqualTo(5e9)));
    }

    @Test
    void the_share_that_the_primary_gets_is_seen() throws Exception {
        seen.policy = seen.policy.toBuilder().rampUp(Duration.ofSeconds(100)).build();
        SeenBreakers.succeed(seen.rawg());
        inBoth(values -> assertThat(values).containsEntry("distributedfallback.primary.share{breaker=rawg}", 1.0));
        seen.open(seen.rawg());
        inBoth(values -> assertThat(values).containsEntry("distributedfallback.primary.share{breaker=rawg}", 0.0));
        seen.pass(Duration.ofSeconds(15));
        SeenBreakers.succeed(seen.rawg());
        seen.pass(Duration.ofSeconds(40));
        inBoth(values -> assertThat(values)
                .containsEntry("distributedfallback.primary.share{breaker=rawg}", 0.4)
                .containsEntry("distributedfallback.open{breaker=rawg}", 0.0));
    }

    @Test
    void keys_have_no_metrics_of_their_own_and_count_for_their_breaker() throws Exception {
        seen.open(seen.breakers.get("rawg", "tenant-1"));
        inBoth(values -> assertThat(values)
                .containsEntry(CALLS + "primary, result=exceptionThrown}", 3.0)
                .containsEntry("distributedfallback.keys.open{breaker=rawg}", 1.0)
                .containsEntry("distributedfallback.open{breaker=rawg}", 0.0)
                .containsEntry("distributedfallback.opened.total{breaker=rawg}", 1.0)
                .allSatisfy((line, value) -> assertThat(line).doesNotContain("tenant-1")));
    }

    @Test
    void a_breaker_made_after_the_end_leaves_nothing_behind() throws Exception {
        all.forEach(Measurements::close);
        SeenBreakers.succeed(seen.breakers.get("late"));
        assertThat(registry.values()).isEmpty();
        assertThat(reader.collectAllMetrics()).isEmpty();
    }

    @Test
    void refusals_are_counted() {
        all.forEach(each -> each.misconfigured("rawg[tenant-1]", "HTTP 401"));
        inBoth(values ->
                assertThat(values).containsEntry("distributedfallback.misconfigured.total{breaker=rawg}", 1.0));
    }

    @Test
    void calls_that_a_limit_keeps_away_are_counted_by_reason() {
        all.forEach(each -> each.fallbackLimited("rawg", "igdb", LimitReason.RATE));
        inBoth(values -> assertThat(values)
                .containsEntry("distributedfallback.limited.total{breaker=rawg, reason=rate}", 1.0)
                .containsEntry("distributedfallback.limited.total{breaker=rawg, reason=pause}", 0.0));
    }

    @Test
    void the_store_is_measured_and_the_coalescing_factor_can_be_had() {
        all.forEach(each -> {
            each.measured(Operation.RECORD, Duration.ofMillis(3).toNanos(), false);
            each.carried(40);
            each.measured(Operation.READ, Duration.ofMillis(3).toNanos(), true);
        });
        inBoth(values -> assertThat(values)
                .containsEntry("distributedfallback.store.operations.total{operation=record, result=ok}", 1.0)
                .containsEntry("distributedfallback.store.operations.total{operation=read, result=failed}", 1.0)
                .containsEntry("distributedfallback.store.duration{operation=record}", 1.0)
                .containsEntry("distributedfallback.failures.recorded.total{}", 40.0)
                .containsEntry("distributedfallback.store.up{}", 1.0));
        assertThat(collected("distributedfallback.store.duration")
                        .getHistogramData()
                        .getPoints())
                .anySatisfy(point -> assertThat(point.getSum()).isCloseTo(0.003, Offset.offset(1e-9)));
        assertThat(collected("distributedfallback.store.duration").getUnit()).isEqualTo("s");
    }

    @Test
    void what_only_grows_is_a_counter_and_its_name_is_the_same() throws Exception {
        SeenBreakers.succeed(seen.rawg());
        for (String total : List.of("calls", "state", "opened", "probes", "misconfigured")) {
            MetricData data = collected("distributedfallback." + total + ".total");
            assertThat(data.getType()).isEqualTo(MetricDataType.LONG_SUM);
            assertThat(data.getLongSumData().isMonotonic()).isTrue();
        }
        // Without its age the copy has not been read yet: that is not zero.
        assertThat(openTelemetry()).doesNotContainKey("distributedfallback.copy.age{}");
        assertThat(registry.values().get("distributedfallback.copy.age{}")).isNaN();
    }

    @Test
    void a_changed_policy_keeps_the_gauges_and_nothing_is_there_twice() throws Exception { // E5
        SeenBreakers.succeed(seen.rawg());
        int before = registry.values().size();
        seen.policy = seen.policy.toBuilder().failureThreshold(1).build();
        seen.open(seen.rawg());
        assertThat(registry.values()).hasSize(before);
        inBoth(values -> assertThat(values).containsEntry("distributedfallback.open{breaker=rawg}", 1.0));
    }

    @Test
    void nothing_stays_after_the_application_and_another_may_come() throws Exception { // E5
        SeenBreakers.succeed(seen.rawg());
        assertThat(registry.values()).isNotEmpty();
        all.forEach(Measurements::close);
        assertThat(registry.values()).isEmpty();
        assertThat(openTelemetry()).isEmpty();
        Measurements again = new Measurements(new OpenTelemetryMetrics(telemetry));
        again.meter("rawg").orElseThrow().count(io.distributedfallback.core.CallOutcome.REJECTED);
        assertThat(openTelemetry()).containsEntry(CALLS + "rejected, result=exceptionThrown}", 1.0);
    }

    @Test
    void what_another_put_into_the_registry_stays_there() {
        TestRegistry shared = new TestRegistry();
        Measurements one = new Measurements(new MicroProfileMetrics(shared.registry()));
        Measurements other = new Measurements(new MicroProfileMetrics(shared.registry()));
        other.close();
        assertThat(shared.values()).isNotEmpty();
        one.close();
        assertThat(shared.values()).isEmpty();
    }

    @Test
    void names_made_from_data_do_not_fill_the_server() {
        Measurements many = all.get(0);
        for (int i = 0; i < Measurements.MOST_BREAKERS; i++) {
            assertThat(many.meter("user-" + i)).isPresent();
        }
        assertThat(many.meter("one-more")).isEmpty();
        assertThat(many.meter("user-7")).isPresent();
    }

    private void inBoth(java.util.function.Consumer<Map<String, Double>> check) {
        check.accept(registry.values());
        check.accept(openTelemetry());
    }

    private MetricData collected(String name) {
        return reader.collectAllMetrics().stream()
                .filter(data -> data.getName().equals(name))
                .findFirst()
                .orElseThrow();
    }

    private Map<String, Double> openTelemetry() {
        Map<String, Double> values = new TreeMap<>();
        for (MetricData data : reader.collectAllMetrics()) {
            data.getLongSumData()
                    .getPoints()
                    .forEach(point -> values.put(line(data, point.getAttributes()), (double) point.getValue()));
            data.getDoubleGaugeData()
                    .getPoints()
                    .forEach(point -> values.put(line(data, point.getAttributes()), point.getValue()));
            data.getHistogramData()
                    .getPoints()
                    .forEach(point -> values.put(line(data, point.getAttributes()), (double) point.getCount()));
        }
        return values;
    }

    private static String line(MetricData data, io.opentelemetry.api.common.Attributes attributes) {
        Map<String, String> tags = new TreeMap<>();
        attributes.forEach((key, value) -> tags.put(key.getKey(), String.valueOf(value)));
        return data.getName() + tags;
    }
}
