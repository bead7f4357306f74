package io.distributedfallback.observe;

import io.distributedfallback.BreakerState;
import io.distributedfallback.BreakerStatus;
import io.distributedfallback.Route;
import io.distributedfallback.core.Readings;
import jakarta.enterprise.context.ApplicationScoped;
import jakarta.enterprise.inject.Any;
import jakarta.enterprise.inject.spi.AfterBeanDiscovery;
import java.time.Duration;
import java.util.List;
import java.util.function.Supplier;
import org.eclipse.microprofile.health.HealthCheck;
import org.eclipse.microprofile.health.HealthCheckResponse;
import org.eclipse.microprofile.health.HealthCheckResponseBuilder;
import org.eclipse.microprofile.health.Readiness;

/**
 * Lists the breakers to whoever asks whether the application is ready. It is, while its fallbacks answer; only breakers of
 * which the policy says {@code health=down-when-open} take the readiness with them. What is told is what this instance knows:
 * nobody waits for the store. But an instance that is not ready gets no calls, and calls are what wakes probes: so this check
 * wakes those of the breakers that it is down for, in the background.
 */
final class BreakerHealth implements HealthCheck {

    /** The name of the check. */
    static final String NAME = "distributed-fallback";

    /** With more breakers than this, only those are listed that have something to tell; and never more than this. */
    static final int MOST_LISTED = 100;

    private final Supplier<Readings> source;

    BreakerHealth(Supplier<Readings> source) {
        this.source = source;
    }

    /** Adds it to the beans of an application. */
    static void offer(AfterBeanDiscovery event, Supplier<Readings> readings) {
        event.<HealthCheck>addBean()
                .id(BreakerHealth.class.getName())
                .beanClass(BreakerHealth.class)
                .types(HealthCheck.class, Object.class)
                .qualifiers(Readiness.Literal.INSTANCE, Any.Literal.INSTANCE)
                .scope(ApplicationScoped.class)
                .produceWith(lookup -> new BreakerHealth(readings));
    }

    @Override
    public HealthCheckResponse call() {
        Readings readings = source.get();
        List<BreakerStatus> all = readings.statuses();
        List<BreakerStatus> telling = all.stream()
                .filter(status -> !standingOf(status).equals("closed"))
                .toList();
        HealthCheckResponseBuilder response =
                HealthCheckResponse.named(NAME).withData("breakers", all.size()).withData("notClosed", telling.size());
        (all.size() > MOST_LISTED ? telling : all)
                .stream()
                        .limit(MOST_LISTED)
                        .forEach(status -> response.withData("breaker." + status.breaker(), standingOf(status)));
        List<BreakerStatus> down = telling.stream()
                .filter(status -> status.route() == Route.FALLBACK && readings.isDownWhenOpen(status.breaker()))
                .toList();
        down.forEach(status -> readings.wake(status.breaker()));
        return response.status(down.isEmpty()).build();
    }

    private static String standingOf(BreakerStatus status) {
        if (status.holds().override().isPresent()) {
            return switch (status.holds().override().get().mode()) {
                case FORCED_OPEN -> "forcedOpen";
                case FORCED_CLOSED -> "forcedClosed";
            };
        }
        if (status.standing().state() == BreakerState.OPEN) {
            return "open";
        }
        if (status.alone()) {
            return "openHereAlone";
        }
        if (status.holds().cooldownLeft().compareTo(Duration.ZERO) > 0) {
            return "coolingDown";
        }
        return status.recovery().rampUp().isPresent() ? "rampingUp" : "closed";
    }
}
