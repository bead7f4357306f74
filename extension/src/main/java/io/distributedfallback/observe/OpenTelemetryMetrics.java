package io.distributedfallback.observe;

import io.opentelemetry.api.OpenTelemetry;
import io.opentelemetry.api.common.Attributes;
import io.opentelemetry.api.common.AttributesBuilder;
import io.opentelemetry.api.metrics.DoubleHistogram;
import io.opentelemetry.api.metrics.Meter;
import io.opentelemetry.api.metrics.MeterProvider;
import io.opentelemetry.api.metrics.ObservableDoubleMeasurement;
import io.opentelemetry.api.metrics.ObservableLongMeasurement;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.DoubleSupplier;
import java.util.function.LongConsumer;
import java.util.function.LongSupplier;

/**
 * OpenTelemetry's metrics. Counters are kept here, where adding to one costs next to nothing, and read when they are
 * collected.
 */
final class OpenTelemetryMetrics implements MetricSink {

    /** The default ones are made for milliseconds. */
    private static final List<Double> SECONDS =
            List.of(0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5, 5.0);

    private static final double NANOS_PER_SECOND = TimeUnit.SECONDS.toNanos(1);

    private final Meter meter;
    private final Map<Metric, List<Total>> totals = new ConcurrentHashMap<>();
    private final Map<Metric, List<Gauge>> gauges = new ConcurrentHashMap<>();
    private final List<AutoCloseable> instruments = new CopyOnWriteArrayList<>();

    OpenTelemetryMetrics(OpenTelemetry telemetry) {
        this.meter = telemetry.getMeter(OpenTelemetryBean.SCOPE);
    }

    /** Empty if nobody would get what is measured. */
    static Optional<MetricSink> of(OpenTelemetry telemetry) {
        return telemetry.getMeterProvider() == MeterProvider.noop()
                ? Optional.empty()
                : Optional.of(new OpenTelemetryMetrics(telemetry));
    }

    private record Total(Attributes attributes, LongSupplier value) {
        void tell(ObservableLongMeasurement measurement) {
            measurement.record(value.getAsLong(), attributes);
        }
    }

    private record Gauge(Attributes attributes, DoubleSupplier value) {
        void tell(ObservableDoubleMeasurement measurement) {
            double now = value.getAsDouble();
            if (!Double.isNaN(now)) {
                measurement.record(now, attributes);
            }
        }
    }

    @Override
    public LongConsumer counter(Metric metric, Label... labels) {
        LongAdder sum = new LongAdder();
        total(metric, sum::sum, labels);
        return sum::add;
    }

    @Override
    public LongConsumer durations(Metric metric, Label... labels) {
        DoubleHistogram histogram = meter.histogramBuilder(metric.title())
                .setDescription(metric.description())
                .setUnit(metric.unit())
                .setExplicitBucketBoundariesAdvice(SECONDS)
                .build();
        Attributes attributes = attributes(labels);
        return nanos -> histogram.record(nanos / NANOS_PER_SECOND, attributes);
    }

    @Override
    public void gauge(Metric metric, DoubleSupplier value, Label... labels) {
        gauges.computeIfAbsent(metric, this::newGauge).add(new Gauge(attributes(labels), value));
    }

    @Override
    public void total(Metric metric, LongSupplier value, Label... labels) {
        totals.computeIfAbsent(metric, this::newTotal).add(new Total(attributes(labels), value));
    }

    private List<Gauge> newGauge(Metric metric) {
        List<Gauge> parts = new CopyOnWriteArrayList<>();
        instruments.add(meter.gaugeBuilder(metric.title())
                .setDescription(metric.description())
                .setUnit(metric.unit())
                .buildWithCallback(measurement -> parts.forEach(part -> part.tell(measurement))));
        return parts;
    }

    private List<Total> newTotal(Metric metric) {
        List<Total> parts = new CopyOnWriteArrayList<>();
        instruments.add(meter.counterBuilder(metric.title())
                .setDescription(metric.description())
                .setUnit(metric.unit())
                .buildWithCallback(measurement -> parts.forEach(part -> part.tell(measurement))));
        return parts;
    }

    private static Attributes attributes(Label... labels) {
        AttributesBuilder attributes = Attributes.builder();
        for (Label label : labels) {
            attributes.put(label.name(), label.value());
        }
        return attributes.build();
    }

    @Override
    public void close() {
        IllegalStateException trouble = null;
        for (AutoCloseable instrument : instruments) {
            try {
                instrument.close();
            } catch (Exception e) {
                // The others are taken away all the same.
                trouble = new IllegalStateException("an instrument could not be closed", e);
            }
        }
        instruments.clear();
        if (trouble != null) {
            throw trouble;
        }
    }
}
