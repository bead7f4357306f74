package io.distributedfallback.core;

import io.distributedfallback.BreakerAlert;
import io.distributedfallback.BreakerAlert.Kind;
import java.time.Clock;
import java.time.Duration;
import java.util.function.Consumer;

/**
 * Makes alerts.
 *
 * @param instance the instance that tells
 * @param clock when, for those who read it; nothing is decided by it
 * @param audience gets them; must neither block nor throw
 */
public record AlertTeller(String instance, Clock clock, Consumer<BreakerAlert> audience) {

    void begins(String breaker, Kind kind, String message) {
        tell(breaker, kind, true, message);
    }

    void isOver(String breaker, Kind kind, String message) {
        tell(breaker, kind, false, message);
    }

    private void tell(String breaker, Kind kind, boolean active, String message) {
        audience.accept(new BreakerAlert(breaker, kind, active, message, instance, clock.instant()));
    }

    /** A duration as people read it. */
    static String text(Duration duration) {
        if (duration.toNanosPart() != 0) {
            return duration.toMillis() + " ms";
        }
        return duration.toSecondsPart() != 0 ? duration.toSeconds() + " s" : duration.toMinutes() + " min";
    }
}
