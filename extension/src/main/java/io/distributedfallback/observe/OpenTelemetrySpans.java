package io.distributedfallback.observe;

import io.distributedfallback.core.Background;
import io.distributedfallback.core.FailureText;
import io.distributedfallback.core.FallbackReason;
import io.distributedfallback.core.ProbeVerdict;
import io.distributedfallback.core.Tracing;
import io.opentelemetry.api.OpenTelemetry;
import io.opentelemetry.api.common.AttributeKey;
import io.opentelemetry.api.common.Attributes;
import io.opentelemetry.api.trace.Span;
import io.opentelemetry.api.trace.SpanBuilder;
import io.opentelemetry.api.trace.StatusCode;
import io.opentelemetry.api.trace.Tracer;
import io.opentelemetry.api.trace.TracerProvider;
import io.opentelemetry.context.Context;
import io.opentelemetry.context.Scope;
import java.time.Duration;
import java.util.Locale;
import java.util.Optional;
import java.util.concurrent.Executor;

/** Fallbacks and probes as spans of OpenTelemetry. What they ask over HTTP, say, becomes a child of theirs. */
final class OpenTelemetrySpans implements Tracing {

    private static final AttributeKey<String> BREAKER = AttributeKey.stringKey("distributedfallback.breaker");
    private static final AttributeKey<String> REASON = AttributeKey.stringKey("distributedfallback.reason");
    private static final AttributeKey<String> VERDICT = AttributeKey.stringKey("distributedfallback.verdict");
    private static final AttributeKey<String> EXCEPTION_TYPE = AttributeKey.stringKey("exception.type");
    private static final AttributeKey<String> EXCEPTION_MESSAGE = AttributeKey.stringKey("exception.message");

    private final Tracer tracer;

    OpenTelemetrySpans(OpenTelemetry telemetry) {
        this.tracer = telemetry.getTracer(OpenTelemetryBean.SCOPE);
    }

    /** Empty if nobody would get the spans. */
    static Optional<OpenTelemetrySpans> of(OpenTelemetry telemetry) {
        return telemetry.getTracerProvider() == TracerProvider.noop()
                ? Optional.empty()
                : Optional.of(new OpenTelemetrySpans(telemetry));
    }

    @Override
    public Trace fallback(String breaker, FallbackReason reason) {
        return begin(tracer.spanBuilder("fallback " + breaker)
                .setAttribute(BREAKER, breaker)
                .setAttribute(REASON, reason.name().toLowerCase(Locale.ROOT)));
    }

    @Override
    public Trace probe(String breaker) {
        return begin(tracer.spanBuilder("probe " + breaker).setNoParent().setAttribute(BREAKER, breaker));
    }

    @SuppressWarnings("MustBeClosedChecker") // closed when the thread leaves the trace
    private static Trace begin(SpanBuilder builder) {
        Span span = builder.startSpan();
        return new SpanTrace(span, span.makeCurrent());
    }

    private record SpanTrace(Span span, Scope scope) implements Trace {

        @Override
        public void leave() {
            scope.close();
        }

        /** As {@code recordException} does it, with secrets masked and without the stack, which may hold more of them. */
        @Override
        public void failed(Throwable thrown) {
            String text = FailureText.of(thrown);
            span.addEvent(
                    "exception", Attributes.of(EXCEPTION_TYPE, thrown.getClass().getName(), EXCEPTION_MESSAGE, text));
            span.setStatus(StatusCode.ERROR, text);
        }

        @Override
        public void found(ProbeVerdict verdict) {
            span.setAttribute(VERDICT, verdict.name().toLowerCase(Locale.ROOT));
            if (verdict == ProbeVerdict.FAIL) {
                span.setStatus(StatusCode.ERROR);
            }
        }

        @Override
        public void end() {
            span.end();
        }
    }

    /** Threads that go on with the trace of whoever hands something over to them now, and not with a later one. */
    Background carrying(Background background) {
        return new Carrying(background);
    }

    private record Carrying(Background background) implements Background {

        @Override
        public Task run(Runnable task) {
            Runnable carried = Context.current().wrap(task);
            return background.run(task instanceof Awaited awaited ? Awaited.of(carried, awaited::takenBack) : carried);
        }

        /** It outlives whatever request sets it off. */
        @Override
        public Task hold(Runnable task) {
            return background.hold(task);
        }

        @Override
        public Task last(Runnable task) {
            return background.last(task);
        }

        @Override
        public void afterRequest(Runnable task) {
            background.afterRequest(task);
        }

        @Override
        public Executor callersContext() {
            return Context.current().wrap(background.callersContext());
        }

        @Override
        public Task schedule(Duration delay, Runnable task) {
            return background.schedule(delay, task);
        }
    }
}
