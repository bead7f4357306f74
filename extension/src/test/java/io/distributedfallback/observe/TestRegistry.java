package io.distributedfallback.observe;

import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.time.Duration;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.Supplier;
import org.eclipse.microprofile.metrics.Counter;
import org.eclipse.microprofile.metrics.Gauge;
import org.eclipse.microprofile.metrics.Metadata;
import org.eclipse.microprofile.metrics.Metric;
import org.eclipse.microprofile.metrics.MetricID;
import org.eclipse.microprofile.metrics.MetricRegistry;
import org.eclipse.microprofile.metrics.Tag;
import org.eclipse.microprofile.metrics.Timer;

/** A registry of MicroProfile Metrics with that part of it which is used; a server's own is used in the integration tests. */
public final class TestRegistry {

    private final Map<MetricID, Metric> metrics = new ConcurrentHashMap<>();
    private final MetricRegistry registry = (MetricRegistry) Proxy.newProxyInstance(
            MetricRegistry.class.getClassLoader(), new Class<?>[] {MetricRegistry.class}, this::answer);

    public MetricRegistry registry() {
        return registry;
    }

    private Object answer(Object proxy, Method method, Object[] arguments) {
        return switch (method.getName()) {
            case "counter" -> metrics.computeIfAbsent(id(arguments), id -> new Count());
            case "timer" -> metrics.computeIfAbsent(id(arguments), id -> timer());
            case "gauge" -> gauge(id(arguments), (Supplier<?>) arguments[1]);
            case "getMetric" -> metrics.get((MetricID) arguments[0]);
            case "remove" -> metrics.remove((MetricID) arguments[0]) != null;
            case "toString" -> "the test's registry";
            default -> throw new UnsupportedOperationException(method.toString());
        };
    }

    private static MetricID id(Object... arguments) {
        return new MetricID(((Metadata) arguments[0]).getName(), (Tag[]) arguments[arguments.length - 1]);
    }

    private Metric gauge(MetricID id, Supplier<?> value) {
        return metrics.computeIfAbsent(id, missing -> (Gauge<Number>) () -> (Number) value.get());
    }

    private static Timer timer() {
        LongAdder count = new LongAdder();
        LongAdder nanos = new LongAdder();
        return (Timer) Proxy.newProxyInstance(
                Timer.class.getClassLoader(),
                new Class<?>[] {Timer.class},
                (proxy, method, arguments) -> switch (method.getName()) {
                    case "update" -> {
                        count.increment();
                        nanos.add(((Duration) arguments[0]).toNanos());
                        yield null;
                    }
                    case "getCount" -> count.sum();
                    case "getElapsedTime" -> Duration.ofNanos(nanos.sum());
                    default -> throw new UnsupportedOperationException(method.toString());
                });
    }

    /** All that is in it, as lines of a name with its tags, and the value. */
    public Map<String, Double> values() {
        Map<String, Double> values = new TreeMap<>();
        metrics.forEach((id, metric) -> values.put(line(id), valueOf(metric)));
        return values;
    }

    private static String line(MetricID id) {
        return id.getName() + new TreeMap<>(id.getTags());
    }

    private static double valueOf(Metric metric) {
        if (metric instanceof Counter counter) {
            return counter.getCount();
        }
        return metric instanceof Gauge<?> gauge ? gauge.getValue().doubleValue() : ((Timer) metric).getCount();
    }

    private static final class Count implements Counter {

        private final LongAdder sum = new LongAdder();

        @Override
        public void inc() {
            sum.increment();
        }

        @Override
        public void inc(long more) {
            sum.add(more);
        }

        @Override
        public long getCount() {
            return sum.sum();
        }
    }
}
