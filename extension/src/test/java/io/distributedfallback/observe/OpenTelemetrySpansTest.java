package io.distributedfallback.observe;

import io.distributedfallback.core.AtOnce;
import io.distributedfallback.core.Background;
import io.distributedfallback.core.BreakerListener;
import io.distributedfallback.core.Instruments;
import io.distributedfallback.core.Tracing;
import io.opentelemetry.api.OpenTelemetry;
import io.opentelemetry.api.trace.Span;
import io.opentelemetry.api.trace.SpanKind;
import io.opentelemetry.api.trace.Tracer;
import io.opentelemetry.context.Context;
import io.opentelemetry.context.Scope;
import io.opentelemetry.sdk.OpenTelemetrySdk;
import io.opentelemetry.sdk.testing.exporter.InMemorySpanExporter;
import io.opentelemetry.sdk.trace.SdkTracerProvider;
import io.opentelemetry.sdk.trace.data.SpanData;
import io.opentelemetry.sdk.trace.export.SimpleSpanProcessor;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Executor;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/** A fallback and a probe are visible as such; the primary's calls are whoever makes them to show. */
@SuppressWarnings("try") // a scope is there to be closed
class OpenTelemetrySpansTest {

    private final InMemorySpanExporter exported = InMemorySpanExporter.create();
    private final OpenTelemetrySdk telemetry = OpenTelemetrySdk.builder()
            .setTracerProvider(SdkTracerProvider.builder()
                    .addSpanProcessor(SimpleSpanProcessor.create(exported))
                    .build())
            .build();
    private final Tracer client = telemetry.getTracer("a client");
    private final OpenTelemetrySpans spans = new OpenTelemetrySpans(telemetry);
    private final SeenBreakers seen = new SeenBreakers(new BreakerListener() {}, new Instruments() {
        @Override
        public Tracing tracing() {
            return spans;
        }
    });

    @Test
    void a_call_that_the_primary_answers_has_no_span_of_ours() throws Exception {
        SeenBreakers.succeed(seen.rawg());
        assertThat(exported.getFinishedSpanItems()).isEmpty();
    }

    @Test
    void a_fallback_is_a_child_of_the_request_and_what_it_asks_is_a_child_of_it() throws Exception {
        Span request = client.spanBuilder("GET /games").startSpan();
        try (Scope unused = request.makeCurrent()) {
            assertThat(seen.rawg()
                            .call(
                                    () -> {
                                        throw SeenBreakers.down();
                                    },
                                    () -> {
                                        client.spanBuilder("GET igdb")
                                                .startSpan()
                                                .end();
                                        return "fallback";
                                    }))
                    .isEqualTo("fallback");
            assertThat(Span.current()).isSameAs(request);
        }
        SpanData asked = span("GET igdb");
        SpanData fallback = span("fallback rawg");
        assertThat(fallback.getKind()).isEqualTo(SpanKind.INTERNAL);
        assertThat(fallback.getParentSpanId())
                .isEqualTo(request.getSpanContext().getSpanId());
        assertThat(asked.getParentSpanId()).isEqualTo(fallback.getSpanId());
        assertThat(attributes(fallback))
                .containsExactlyInAnyOrder("distributedfallback.breaker=rawg", "distributedfallback.reason=failed");
    }

    @Test
    void an_open_breaker_is_the_reason_of_the_next_ones() throws Exception {
        seen.open(seen.rawg());
        exported.reset();
        SeenBreakers.succeed(seen.rawg());
        assertThat(attributes(span("fallback rawg"))).contains("distributedfallback.reason=open");
    }

    @Test
    void a_fallback_that_fails_says_how_without_its_secrets() {
        assertThat(org.assertj.core.api.Assertions.catchThrowable(() -> seen.rawg()
                        .call(
                                () -> {
                                    throw new IllegalStateException("primary");
                                },
                                () -> {
                                    throw SeenBreakers.down();
                                })))
                .isInstanceOf(IllegalStateException.class);
        SpanData fallback = span("fallback rawg");
        assertThat(fallback.getStatus().getStatusCode()).isEqualTo(io.opentelemetry.api.trace.StatusCode.ERROR);
        assertThat(fallback.getEvents()).singleElement().satisfies(event -> {
            assertThat(event.getName()).isEqualTo("exception");
            assertThat(event.getAttributes().toString())
                    .contains("java.io.IOException", "HTTP 503")
                    .doesNotContain("secret", "abc");
        });
    }

    @Test
    void a_probe_is_the_root_of_its_own_trace_and_tells_its_verdict() throws Exception {
        seen.open(seen.rawg());
        seen.pass(Duration.ofSeconds(15));
        seen.probeFailure = SeenBreakers.down();
        Span request = client.spanBuilder("GET /games").startSpan();
        try (Scope unused = request.makeCurrent()) {
            SeenBreakers.succeed(seen.rawg());
        }
        SpanData failed = span("probe rawg");
        assertThat(failed.getParentSpanContext().isValid()).isFalse();
        assertThat(failed.getTraceId()).isNotEqualTo(request.getSpanContext().getTraceId());
        assertThat(attributes(failed)).contains("distributedfallback.breaker=rawg", "distributedfallback.verdict=fail");
        exported.reset();
        seen.probeFailure = null;
        seen.pass(Duration.ofSeconds(15));
        SeenBreakers.succeed(seen.rawg());
        assertThat(attributes(span("probe rawg"))).contains("distributedfallback.verdict=pass");
    }

    @Test
    void a_stages_fallback_ends_when_its_stage_does() {
        CompletableFuture<String> answer = new CompletableFuture<>();
        CompletionStage<String> unused = SeenBreakers.failStage(seen.rawg(), answer);
        assertThat(exported.getFinishedSpanItems()).isEmpty();
        assertThat(Span.current().getSpanContext().isValid()).isFalse();
        answer.complete("fallback");
        assertThat(span("fallback rawg").hasEnded()).isTrue();
    }

    @Test
    void whoever_waits_for_a_task_is_told_when_the_application_stops() {
        List<Runnable> handedOver = new ArrayList<>();
        Background background = spans.carrying(new AtOnce() {
            @Override
            public Task run(Runnable task) {
                handedOver.add(task);
                return () -> {};
            }
        });
        List<String> told = new ArrayList<>();
        Background.Task unused =
                background.run(Background.Awaited.of(() -> told.add("ran"), () -> told.add("taken back")));
        assertThat(handedOver)
                .singleElement()
                .isInstanceOfSatisfying(Background.Awaited.class, Background.Awaited::takenBack);
        assertThat(told).containsExactly("taken back");
    }

    @Test
    void managed_threads_go_on_with_the_trace_of_whoever_handed_over() {
        List<Runnable> later = new ArrayList<>();
        var background = spans.carrying(new AtOnce() {
            @Override
            public Task run(Runnable task) {
                later.add(task);
                return () -> {};
            }
        });
        Span request = client.spanBuilder("GET /games").startSpan();
        List<Span> found = new ArrayList<>();
        Executor callers;
        try (Scope unused = request.makeCurrent()) {
            background.run(() -> found.add(Span.current()));
            callers = background.callersContext();
        }
        assertThat(Context.current()).isEqualTo(Context.root());
        later.forEach(Runnable::run);
        callers.execute(() -> found.add(Span.current()));
        assertThat(found).containsExactly(request, request);
    }

    @Test
    void where_nobody_collects_there_is_nothing_to_pay() {
        assertThat(OpenTelemetrySpans.of(OpenTelemetry.noop())).isEmpty();
        assertThat(OpenTelemetryMetrics.of(OpenTelemetry.noop())).isEmpty();
    }

    private SpanData span(String name) {
        return exported.getFinishedSpanItems().stream()
                .filter(span -> span.getName().equals(name))
                .findFirst()
                .orElseThrow();
    }

    private static List<String> attributes(SpanData span) {
        List<String> attributes = new ArrayList<>();
        span.getAttributes().forEach((key, value) -> attributes.add(key.getKey() + "=" + value));
        return attributes;
    }
}
