package io.distributedfallback.observe;

import io.distributedfallback.core.Background;
import io.distributedfallback.core.BreakerListener;
import io.distributedfallback.core.BreakerStore;
import io.distributedfallback.core.CallMeter;
import io.distributedfallback.core.FailureText;
import io.distributedfallback.core.Instruments;
import io.distributedfallback.core.MeteredStore;
import io.distributedfallback.core.MonotonicClock;
import io.distributedfallback.core.Problem;
import io.distributedfallback.core.ProblemCode;
import io.distributedfallback.core.Readings;
import io.distributedfallback.core.Retold;
import io.distributedfallback.core.Tracing;
import jakarta.enterprise.inject.spi.AfterBeanDiscovery;
import jakarta.enterprise.inject.spi.BeanManager;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Supplier;

/**
 * Metrics, spans and health, each by an API that the server may have or not: the door to them. An API that is not there is
 * not touched, so that its classes are not missed. Trouble with one never reaches the application. Thread-safe.
 */
public final class Observation implements Instruments, AutoCloseable {

    /** Shows nothing. */
    public static final Observation NONE = new Observation(List.of(), Optional.empty());

    private static final String METRICS = "metrics";

    private static final System.Logger LOG = System.getLogger("io.distributedfallback");

    private final List<Measurements> measurements;
    private final Optional<OpenTelemetrySpans> spans;

    private Observation(List<Measurements> measurements, Optional<OpenTelemetrySpans> spans) {
        this.measurements = List.copyOf(measurements);
        this.spans = spans;
    }

    /**
     * Finds what the server has.
     *
     * @param withMetrics whether metrics are wanted
     */
    public static Observation of(BeanManager beans, boolean withMetrics) {
        List<Measurements> measurements = new ArrayList<>();
        if (withMetrics) {
            use(OptionalApi.METRICS, () -> MicroProfileMetrics.find(beans).map(Measurements::new))
                    .ifPresent(measurements::add);
            use(
                            OptionalApi.TELEMETRY,
                            () -> OpenTelemetryBean.find(beans)
                                    .flatMap(OpenTelemetryMetrics::of)
                                    .map(Measurements::new))
                    .ifPresent(measurements::add);
        }
        return new Observation(
                measurements,
                use(OptionalApi.TELEMETRY, () -> OpenTelemetryBean.find(beans).flatMap(OpenTelemetrySpans::of)));
    }

    /** Adds a check of readiness to the application's beans, if the server asks for such. */
    public static void offerHealth(AfterBeanDiscovery event, Supplier<Readings> readings) {
        use(OptionalApi.HEALTH, () -> {
            BreakerHealth.offer(event, readings);
            return Optional.empty();
        });
    }

    private static <T> Optional<T> use(OptionalApi api, Supplier<Optional<T>> use) {
        if (!api.isPresent()) {
            return Optional.empty();
        }
        return withoutHarm(api.title(), use);
    }

    /** For an API that is known to be there. */
    private static <T> Optional<T> withoutHarm(String what, Supplier<Optional<T>> use) {
        try {
            return use.get();
        } catch (RuntimeException | LinkageError e) {
            LOG.log(
                    System.Logger.Level.WARNING,
                    "{0}",
                    new Problem(
                            ProblemCode.DFB503,
                            what,
                            FailureText.of(e),
                            "The application works as ever, and what breakers do is not shown there"));
            Retold.log(LOG, System.Logger.Level.DEBUG, "how that came about", e);
            return Optional.empty();
        }
    }

    /** Who is to hear what the engine tells. */
    public BreakerListener listener() {
        return new Listeners(measurements.toArray(BreakerListener[]::new));
    }

    /** The store, measured if anybody wants to know. */
    public BreakerStore measured(BreakerStore store, MonotonicClock clock) {
        Shield shield = new Shield(clock);
        BreakerStore measured = store;
        for (Measurements each : measurements) {
            measured = new MeteredStore(measured, clock, shield.over(each));
        }
        return measured;
    }

    /** Threads that go on with the trace of whoever hands something over to them. */
    public Background carrying(Background background) {
        return spans.map(traces -> traces.carrying(background)).orElse(background);
    }

    /** From now on what is not told is read there. */
    public void read(Readings readings) {
        measurements.forEach(each -> each.read(readings));
    }

    @Override
    public Optional<CallMeter> meter(String breaker) {
        return measurements.stream()
                .flatMap(each -> withoutHarm(METRICS, () -> each.meter(breaker)).stream())
                .reduce((one, other) -> outcome -> {
                    one.count(outcome);
                    other.count(outcome);
                });
    }

    @Override
    public Tracing tracing() {
        return spans.<Tracing>map(traces -> traces).orElse(Tracing.NONE);
    }

    /** Takes away all that was put into the server's registries. */
    @Override
    public void close() {
        for (Measurements each : measurements) {
            Optional<Void> unused = withoutHarm(METRICS, () -> {
                each.close();
                return Optional.empty();
            });
        }
    }
}
