package io.distributedfallback.observe;

import jakarta.enterprise.inject.spi.BeanManager;
import jakarta.enterprise.inject.spi.Unmanaged;
import jakarta.inject.Inject;
import java.time.Duration;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.DoubleSupplier;
import java.util.function.LongConsumer;
import java.util.function.LongSupplier;
import java.util.stream.Stream;
import org.eclipse.microprofile.metrics.Counter;
import org.eclipse.microprofile.metrics.Metadata;
import org.eclipse.microprofile.metrics.MetricID;
import org.eclipse.microprofile.metrics.MetricRegistry;
import org.eclipse.microprofile.metrics.Tag;
import org.eclipse.microprofile.metrics.Timer;

/**
 * MicroProfile Metrics: the registry of the application's own scope, because breakers are the application's. What was in it
 * before is another's, and is left there.
 */
final class MicroProfileMetrics implements MetricSink {

    private final MetricRegistry registry;
    private final Set<MetricID> own = ConcurrentHashMap.newKeySet();

    MicroProfileMetrics(MetricRegistry registry) {
        this.registry = registry;
    }

    /** Empty if the server has the API and no registry. */
    static Optional<MetricSink> find(BeanManager beans) {
        if (!beans.createInstance().select(MetricRegistry.class).isResolvable()) {
            return Optional.empty();
        }
        Unmanaged.UnmanagedInstance<Place> place = new Unmanaged<>(beans, Place.class).newInstance();
        MetricRegistry registry = place.produce().inject().get().registry;
        place.dispose();
        return Optional.of(new MicroProfileMetrics(registry));
    }

    /** Servers look at the place where a registry is injected to know which one is meant: so there must be one. */
    static class Place {

        @Inject
        MetricRegistry registry;
    }

    @Override
    public LongConsumer counter(Metric metric, Label... labels) {
        own(metric, labels);
        Counter counter = registry.counter(metadata(metric), tags(labels));
        return counter::inc;
    }

    @Override
    public LongConsumer durations(Metric metric, Label... labels) {
        own(metric, labels);
        Timer timer = registry.timer(metadata(metric), tags(labels));
        return nanos -> timer.update(Duration.ofNanos(nanos));
    }

    @Override
    public void gauge(Metric metric, DoubleSupplier value, Label... labels) {
        own(metric, labels);
        Object unused = registry.<Double>gauge(metadata(metric), value::getAsDouble, tags(labels));
    }

    @Override
    public void total(Metric metric, LongSupplier value, Label... labels) {
        own(metric, labels);
        Object unused = registry.<Long>gauge(metadata(metric), value::getAsLong, tags(labels));
    }

    private void own(Metric metric, Label... labels) {
        MetricID id = new MetricID(metric.title(), tags(labels));
        if (registry.getMetric(id) == null) {
            own.add(id);
        }
    }

    private static Metadata metadata(Metric metric) {
        return Metadata.builder()
                .withName(metric.title())
                .withDescription(metric.description())
                .build();
    }

    private static Tag[] tags(Label... labels) {
        return Stream.of(labels)
                .map(label -> new Tag(label.name(), label.value()))
                .toArray(Tag[]::new);
    }

    @Override
    public void close() {
        own.forEach(registry::remove);
        own.clear();
    }
}
