package io.distributedfallback.observe;

import io.distributedfallback.core.AlertRules;
import io.distributedfallback.core.Alerts;
import io.distributedfallback.core.Background;
import io.distributedfallback.core.BreakerListener;
import io.distributedfallback.core.Instruments;
import io.distributedfallback.core.MonotonicClock;
import jakarta.enterprise.inject.spi.BeanManager;
import java.time.Duration;
import java.util.Optional;

/**
 * All who are told what the engine does: the log, the application's observers, metrics and spans.
 *
 * @param listener is told
 * @param instruments watch the calls
 */
public record Audience(BreakerListener listener, Instruments instruments) {

    /**
     * Puts it together.
     *
     * @param instance the name of this instance
     */
    public static Audience of(
            Observation observation,
            BeanManager beans,
            Background background,
            MonotonicClock clock,
            AlertRules rules,
            String instance) {
        CdiEvents events = new CdiEvents(beans, background, new AtMostOncePer(Duration.ofMinutes(1), clock));
        Optional<Alerts> alerts = events.alerts(rules, clock, instance);
        return new Audience(
                new Listeners(
                        new LogLines(clock),
                        new LimitLines(clock),
                        events,
                        observation.listener(),
                        new Listeners(alerts.stream().toArray(BreakerListener[]::new))),
                new Shield(clock).over(alerts.<Instruments>map(observation::and).orElse(observation)));
    }
}
