package io.distributedfallback.observe;

import io.distributedfallback.BreakerState;
import io.distributedfallback.BreakerTransition;
import io.distributedfallback.core.BreakerListener;
import io.distributedfallback.core.CallMeter;
import io.distributedfallback.core.KeyedName;
import io.distributedfallback.core.LimitReason;
import io.distributedfallback.core.ProbeVerdict;
import io.distributedfallback.core.Problem;
import io.distributedfallback.core.ProblemCode;
import io.distributedfallback.core.QueueStep;
import io.distributedfallback.core.Readings;
import io.distributedfallback.core.StoreMeter;
import java.time.Duration;
import java.util.EnumMap;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.LongConsumer;

/**
 * Brings what the engine tells, and what can be read off it, to the metrics APIs that the server has. A breaker has its
 * metrics from the moment when it is made until the application stops; its keys have none of their own.
 */
final class Measurements implements BreakerListener, StoreMeter, AutoCloseable {

    /** Names made from data would fill the server's memory; calls of those that find no room are not counted. */
    static final int MOST_BREAKERS = 5_000;

    private static final double NANOS_PER_SECOND = Duration.ofSeconds(1).toNanos();

    private static final System.Logger LOG = System.getLogger("io.distributedfallback");

    private final MetricSink sink;
    private final Map<String, BreakerMetrics> breakers = new ConcurrentHashMap<>();
    private final Map<Operation, StoreMetrics> operations = new EnumMap<>(Operation.class);
    private final LongConsumer carried;
    private final AtomicBoolean toldOfNoRoom = new AtomicBoolean();
    private volatile boolean closed;
    private volatile Optional<Readings> readings = Optional.empty();

    Measurements(MetricSink sink) {
        this.sink = sink;
        for (Operation operation : Operation.values()) {
            operations.put(operation, new StoreMetrics(sink, operation.name().toLowerCase(Locale.ROOT)));
        }
        this.carried = sink.counter(Metric.FAILURES_RECORDED);
        sink.gauge(Metric.STORE_UP, () -> readings.map(Readings::isStoreUp).orElse(true) ? 1 : 0);
        sink.gauge(
                Metric.COPY_AGE,
                () -> readings.flatMap(Readings::copyAge)
                        .map(age -> age.toNanos() / NANOS_PER_SECOND)
                        .orElse(Double.NaN));
    }

    /** From now on what is not told is read there. */
    void read(Readings source) {
        readings = Optional.of(source);
    }

    Optional<CallMeter> meter(String breaker) {
        return find(breaker).map(metrics -> metrics);
    }

    private Optional<BreakerMetrics> find(String breaker) {
        BreakerMetrics known = breakers.get(breaker);
        if (known != null) {
            return Optional.of(known);
        }
        if (closed) {
            // What is put into the server's registries now would stay there.
            return Optional.empty();
        }
        if (breakers.size() < MOST_BREAKERS) {
            return Optional.of(
                    breakers.computeIfAbsent(breaker, name -> new BreakerMetrics(name, sink, () -> readings)));
        }
        if (!toldOfNoRoom.getAndSet(true)) {
            LOG.log(
                    System.Logger.Level.WARNING,
                    "{0}",
                    new Problem(
                            ProblemCode.DFB413,
                            "breaker " + breaker,
                            "the application has " + MOST_BREAKERS,
                            "This breaker and those after it work, and have no metrics. If names are made from data, use one"
                                    + " breaker with keys instead"));
        }
        return Optional.empty();
    }

    private Optional<BreakerMetrics> ofName(String name) {
        return find(KeyedName.baseOf(name));
    }

    @Override
    public void transitioned(BreakerTransition transition) {
        if (transition.to() == BreakerState.OPEN && transition.from() != BreakerState.OPEN) {
            ofName(transition.breaker()).ifPresent(BreakerMetrics::opened);
        }
    }

    @Override
    public void probed(String breaker, ProbeVerdict verdict, String reason) {
        ofName(breaker).ifPresent(metrics -> metrics.probed(verdict));
    }

    @Override
    public void misconfigured(String breaker, String failure) {
        ofName(breaker).ifPresent(BreakerMetrics::misconfigured);
    }

    @Override
    public void fallbackLimited(String breaker, String limit, LimitReason reason) {
        ofName(breaker).ifPresent(metrics -> metrics.limited(reason));
    }

    @Override
    public void queued(String breaker, QueueStep step) {
        ofName(breaker).ifPresent(metrics -> metrics.queued(step));
    }

    @Override
    public void measured(Operation operation, long nanos, boolean failed) {
        operations.get(operation).measured(nanos, failed);
    }

    @Override
    public void carried(long failures) {
        carried.accept(failures);
    }

    /** What is measured of one operation. */
    private static final class StoreMetrics {

        private final LongConsumer ok;
        private final LongConsumer failed;
        private final LongConsumer durations;

        StoreMetrics(MetricSink sink, String operation) {
            Label label = new Label("operation", operation);
            ok = sink.counter(Metric.STORE_OPERATIONS, label, new Label("result", "ok"));
            failed = sink.counter(Metric.STORE_OPERATIONS, label, new Label("result", "failed"));
            durations = sink.durations(Metric.STORE_DURATION, label);
        }

        void measured(long nanos, boolean hasFailed) {
            (hasFailed ? failed : ok).accept(1);
            durations.accept(nanos);
        }
    }

    @Override
    public void close() {
        closed = true;
        sink.close();
    }
}
