package io.distributedfallback.sample.web;

import io.distributedfallback.BreakerStatus;
import java.time.Duration;

/**
 * A breaker as the page shows it.
 *
 * @param name the breaker
 * @param state CLOSED or OPEN
 * @param route PRIMARY or FALLBACK
 * @param failures in a row, over all instances
 * @param probesPassed in a row
 * @param nextProbeMillis the time to the next probe, null while closed
 * @param probing whether a probe is under way somewhere
 * @param cooldownMillis how long the provider still wants to be left alone
 * @param lastFailure the last failure, null if there is none
 * @param openedAt when it opened last, null if never
 * @param copyAgeMillis how old this instance's knowledge is, null if it has not read the database yet
 */
public record BreakerView(
        String name,
        String state,
        String route,
        int failures,
        int probesPassed,
        Long nextProbeMillis,
        boolean probing,
        long cooldownMillis,
        Failure lastFailure,
        String openedAt,
        Long copyAgeMillis) {

    /**
     * A failure.
     *
     * @param at when, by the database's clock
     * @param kind its kind
     * @param text what was seen
     * @param instance who saw it
     */
    public record Failure(String at, String kind, String text, String instance) {}

    static BreakerView of(BreakerStatus status) {
        return new BreakerView(
                status.breaker(),
                status.standing().state().name(),
                status.route().name(),
                status.standing().consecutiveFailures(),
                status.recovery().consecutiveSuccesses(),
                status.recovery().untilNextProbe().map(Duration::toMillis).orElse(null),
                !status.recovery().leaseLeft().isZero(),
                status.holds().cooldownLeft().toMillis(),
                status.lastFailure()
                        .map(failure -> new Failure(
                                failure.at().toString(), failure.kind().name(), failure.text(), failure.instance()))
                        .orElse(null),
                status.standing().openedAt().map(Object::toString).orElse(null),
                status.copyAge().map(Duration::toMillis).orElse(null));
    }
}
