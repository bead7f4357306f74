package io.distributedfallback.operator;

import java.util.List;
import java.util.stream.Stream;

/** The metrics of the product. */
final class MetricNames {

    private static final List<String> NAMES = List.of(
            "distributedfallback.calls.total",
            "distributedfallback.open",
            "distributedfallback.state.total",
            "distributedfallback.opened.total",
            "distributedfallback.probes.total",
            "distributedfallback.misconfigured.total",
            "distributedfallback.store.operations.total",
            "distributedfallback.store.duration",
            "distributedfallback.store.up",
            "distributedfallback.copy.age",
            "distributedfallback.failures.recorded.total",
            "distributedfallback.keys.open");

    private MetricNames() {}

    /** As Prometheus has them: with underscores, and with what each kind of metric adds. */
    static List<String> inPrometheus() {
        return NAMES.stream()
                .map(name -> name.replace('.', '_'))
                .flatMap(name -> name.endsWith("_duration")
                        ? Stream.of("", "_sum", "_count", "_bucket").map(suffix -> name + "_seconds" + suffix)
                        : Stream.of(name))
                .toList();
    }
}
