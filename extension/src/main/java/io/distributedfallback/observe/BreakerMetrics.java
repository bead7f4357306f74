package io.distributedfallback.observe;

import io.distributedfallback.core.CallMeter;
import io.distributedfallback.core.CallOutcome;
import io.distributedfallback.core.EffectiveState;
import io.distributedfallback.core.LimitReason;
import io.distributedfallback.core.ProbeVerdict;
import io.distributedfallback.core.QueueStep;
import io.distributedfallback.core.Readings;
import java.util.EnumMap;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Function;
import java.util.function.LongConsumer;
import java.util.function.Supplier;

/** What is measured of one breaker, with its keys. Thread-safe. */
final class BreakerMetrics implements CallMeter {

    private static final String RETURNED = "valueReturned";
    private static final String THREW = "exceptionThrown";

    private final Map<CallOutcome, LongConsumer> calls = new EnumMap<>(CallOutcome.class);
    private final Map<ProbeVerdict, LongConsumer> probes = new EnumMap<>(ProbeVerdict.class);
    private final Map<LimitReason, LongConsumer> limited = new EnumMap<>(LimitReason.class);
    private final Map<QueueStep, LongConsumer> queued = new ConcurrentHashMap<>();
    private final Function<QueueStep, LongConsumer> queueCounters;
    private final LongConsumer opened;
    private final LongConsumer misconfigured;

    /** @param readings may come later than calls */
    BreakerMetrics(String breaker, MetricSink sink, Supplier<Optional<Readings>> readings) {
        Label label = new Label("breaker", breaker);
        for (CallOutcome outcome : CallOutcome.values()) {
            calls.put(outcome, sink.counter(Metric.CALLS, label, path(outcome), result(outcome)));
        }
        for (ProbeVerdict verdict : ProbeVerdict.values()) {
            Label found = new Label("verdict", verdict.name().toLowerCase(Locale.ROOT));
            probes.put(verdict, sink.counter(Metric.PROBES, label, found));
        }
        for (LimitReason reason : LimitReason.values()) {
            Label why = new Label("reason", reason.name().toLowerCase(Locale.ROOT));
            limited.put(reason, sink.counter(Metric.LIMITED, label, why));
        }
        // Most breakers have no queue, and then no counter of one.
        queueCounters = step ->
                sink.counter(Metric.QUEUED, label, new Label("step", step.name().toLowerCase(Locale.ROOT)));
        opened = sink.counter(Metric.OPENED, label);
        misconfigured = sink.counter(Metric.MISCONFIGURED, label);
        sink.gauge(
                Metric.OPEN,
                () -> readings.get().map(all -> all.isOpen(breaker)).orElse(false) ? 1 : 0,
                label);
        sink.gauge(
                Metric.PRIMARY_SHARE,
                () -> readings.get().map(all -> all.primaryShare(breaker)).orElse(1.0),
                label);
        sink.gauge(
                Metric.KEYS_OPEN,
                () -> readings.get().map(all -> all.openKeys(breaker)).orElse(0),
                label);
        for (EffectiveState state : EffectiveState.values()) {
            sink.total(
                    Metric.STATE,
                    () -> readings.get().map(all -> all.nanosIn(breaker, state)).orElse(0L),
                    label,
                    new Label("state", camelCase(state)));
        }
    }

    private static Label path(CallOutcome outcome) {
        return new Label(
                "path",
                switch (outcome) {
                    case PRIMARY_RETURNED, PRIMARY_THREW -> "primary";
                    case FALLBACK_RETURNED, FALLBACK_THREW -> "fallback";
                    case REJECTED -> "rejected";
                });
    }

    private static Label result(CallOutcome outcome) {
        return new Label(
                "result",
                switch (outcome) {
                    case PRIMARY_RETURNED, FALLBACK_RETURNED -> RETURNED;
                    case PRIMARY_THREW, FALLBACK_THREW, REJECTED -> THREW;
                });
    }

    private static String camelCase(EffectiveState state) {
        return switch (state) {
            case CLOSED -> "closed";
            case OPEN -> "open";
            case FORCED_OPEN -> "forcedOpen";
            case FORCED_CLOSED -> "forcedClosed";
        };
    }

    @Override
    public void count(CallOutcome outcome) {
        calls.get(outcome).accept(1);
    }

    void opened() {
        opened.accept(1);
    }

    void probed(ProbeVerdict verdict) {
        probes.get(verdict).accept(1);
    }

    void limited(LimitReason reason) {
        limited.get(reason).accept(1);
    }

    void queued(QueueStep step) {
        queued.computeIfAbsent(step, queueCounters).accept(1);
    }

    void misconfigured() {
        misconfigured.accept(1);
    }
}
