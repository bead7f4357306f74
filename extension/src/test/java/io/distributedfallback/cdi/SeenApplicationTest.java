package io.distributedfallback.cdi;

import io.distributedfallback.Breakers;
import io.distributedfallback.DistributedFallback;
import io.distributedfallback.Probe;
import io.distributedfallback.observe.TestRegistry;
import io.opentelemetry.api.OpenTelemetry;
import io.opentelemetry.context.Context;
import io.opentelemetry.sdk.OpenTelemetrySdk;
import io.opentelemetry.sdk.metrics.SdkMeterProvider;
import io.opentelemetry.sdk.testing.exporter.InMemoryMetricReader;
import io.opentelemetry.sdk.testing.exporter.InMemorySpanExporter;
import io.opentelemetry.sdk.trace.ReadWriteSpan;
import io.opentelemetry.sdk.trace.ReadableSpan;
import io.opentelemetry.sdk.trace.SdkTracerProvider;
import io.opentelemetry.sdk.trace.SpanProcessor;
import io.opentelemetry.sdk.trace.data.SpanData;
import io.opentelemetry.sdk.trace.export.SimpleSpanProcessor;
import jakarta.enterprise.context.ApplicationScoped;
import jakarta.enterprise.inject.Produces;
import java.lang.reflect.Proxy;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import org.eclipse.microprofile.health.HealthCheck;
import org.eclipse.microprofile.health.Readiness;
import org.eclipse.microprofile.metrics.MetricRegistry;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/** What a server has to show breakers with, an application shows them in; all of it at once, and nothing when it stops. */
class SeenApplicationTest extends InWeld {

    private static final String FALLBACKS =
            "distributedfallback.calls.total{breaker=rawg, path=fallback, result=valueReturned}";

    @Test
    void metrics_of_both_apis_and_spans_are_shown_and_taken_away_at_the_end() {
        Games games = start(Games.class, Server.class);
        Server server = container.select(Server.class).get();
        TestRegistry registry = server.metrics();
        InMemoryMetricReader reader = server.reader();
        assertThat(games.search()).isEqualTo("fallback");
        assertThat(registry.values()).containsEntry(FALLBACKS, 1.0);
        assertThat(reader.collectAllMetrics())
                .anySatisfy(metric -> assertThat(metric.getName()).isEqualTo("distributedfallback.calls.total"));
        assertThat(server.spans().getFinishedSpanItems().stream().map(SpanData::getName))
                .containsExactly("fallback rawg");
        stop();
        assertThat(registry.values()).isEmpty();
        assertThat(reader.collectAllMetrics()).isEmpty();
    }

    @Test
    void metrics_can_be_switched_off() {
        settings.put("distributed-fallback.metrics", "off");
        Games games = start(Games.class, Server.class);
        assertThat(games.search()).isEqualTo("fallback");
        Server server = container.select(Server.class).get();
        assertThat(server.metrics().values()).isEmpty();
        assertThat(server.reader().collectAllMetrics()).isEmpty();
    }

    @Test
    void a_method_whose_breaker_is_taken_away_counts_all_the_same() {
        settings.put("MP_Fault_Tolerance_NonFallback_Enabled", "false");
        Games games = start(Games.class, Server.class);
        assertThat(games.search()).isEqualTo("fallback");
        assertThat(container.select(Server.class).get().metrics().values()).containsEntry(FALLBACKS, 1.0);
    }

    @Test
    void whoever_counts_and_shows_may_fail_and_no_caller_notices() {
        settings.put("distributed-fallback.breaker.rawg.failure-threshold", "2");
        Games games = start(Games.class, BrokenServer.class);
        assertThat(games.answer()).isEqualTo("primary");
        for (int i = 0; i < 4; i++) {
            assertThat(games.search()).isEqualTo("fallback");
        }
        assertThat(games.later().toCompletableFuture()).isCompletedWithValue("fallback");
        assertThat(container.select(Breakers.class).get().get("rawg").isOpen()).isTrue();
        assertThat(warnings.of("DFB503")).isNotEmpty().hasSizeLessThan(5);
    }

    @Test
    void there_is_one_check_of_readiness() {
        startAll(Games.class);
        assertThat(container
                        .select(HealthCheck.class, Readiness.Literal.INSTANCE)
                        .isResolvable())
                .isTrue();
    }

    @Test
    void readiness_that_follows_a_breaker_which_only_calls_can_close_is_warned_of() {
        settings.put("distributed-fallback.breaker.trial.health", "down-when-open");
        startAll(Trial.class);
        assertThat(warnings.of("DFB208"))
                .singleElement()
                .asString()
                .contains("breaker trial")
                .contains("Declare a probe");
    }

    @ApplicationScoped
    static class Games {

        @DistributedFallback(breaker = "rawg", fallbackMethod = "igdb")
        public String search() {
            throw new IllegalStateException("down");
        }

        String igdb() {
            return "fallback";
        }

        @DistributedFallback(breaker = "other", fallbackMethod = "igdb")
        public String answer() {
            return "primary";
        }

        @DistributedFallback(breaker = "rawg", fallbackMethod = "igdbLater")
        public CompletionStage<String> later() {
            return CompletableFuture.failedFuture(new IllegalStateException("down"));
        }

        CompletionStage<String> igdbLater() {
            return CompletableFuture.completedFuture("fallback");
        }

        @Probe("rawg")
        void probe() {}
    }

    @ApplicationScoped
    static class Trial {

        @DistributedFallback(breaker = "trial")
        public String search() {
            return "primary";
        }
    }

    /** What a server has. */
    @ApplicationScoped
    static class Server {

        private final TestRegistry metrics = new TestRegistry();
        private final InMemoryMetricReader reader = InMemoryMetricReader.create();
        private final InMemorySpanExporter spans = InMemorySpanExporter.create();

        @Produces
        MetricRegistry registry() {
            return metrics.registry();
        }

        @Produces
        @ApplicationScoped
        OpenTelemetry telemetry() {
            return OpenTelemetrySdk.builder()
                    .setMeterProvider(SdkMeterProvider.builder()
                            .registerMetricReader(reader)
                            .build())
                    .setTracerProvider(SdkTracerProvider.builder()
                            .addSpanProcessor(SimpleSpanProcessor.create(spans))
                            .build())
                    .build();
        }

        TestRegistry metrics() {
            return metrics;
        }

        InMemoryMetricReader reader() {
            return reader;
        }

        InMemorySpanExporter spans() {
            return spans;
        }
    }

    /** What a server has that does not work. */
    @ApplicationScoped
    static class BrokenServer {

        @Produces
        MetricRegistry registry() {
            return (MetricRegistry) Proxy.newProxyInstance(
                    MetricRegistry.class.getClassLoader(),
                    new Class<?>[] {MetricRegistry.class},
                    (proxy, method, arguments) -> method.getReturnType().isInterface() && arguments != null
                            ? broken(method.getReturnType())
                            : null);
        }

        private static Object broken(Class<?> type) {
            return Proxy.newProxyInstance(type.getClassLoader(), new Class<?>[] {type}, (proxy, method, arguments) -> {
                throw new IllegalStateException("the registry is closed");
            });
        }

        @Produces
        @ApplicationScoped
        OpenTelemetry telemetry() {
            return OpenTelemetrySdk.builder()
                    .setTracerProvider(SdkTracerProvider.builder()
                            .addSpanProcessor(new SpanProcessor() {
                                @Override
                                public void onStart(Context parent, ReadWriteSpan span) {
                                    throw new NoClassDefFoundError("an/exporter");
                                }

                                @Override
                                public boolean isStartRequired() {
                                    return true;
                                }

                                @Override
                                public void onEnd(ReadableSpan span) {}

                                @Override
                                public boolean isEndRequired() {
                                    return false;
                                }
                            })
                            .build())
                    .build();
        }
    }
}
