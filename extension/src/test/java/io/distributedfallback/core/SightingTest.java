package io.distributedfallback.core;

import io.distributedfallback.BreakerStatus.Holds;
import io.distributedfallback.BreakerStatus.OperatorOverride;
import io.distributedfallback.OverrideMode;
import io.distributedfallback.Route;
import java.time.Duration;
import java.util.Optional;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/** What follows from a row that somebody has edited. */
class SightingTest {

    private static final Duration UNTIL_THE_YEAR_9999 = Duration.ofDays(365L * 7_900);

    @Test
    void an_override_until_the_year_9999_holds_and_breaks_no_call() {
        OperatorOverride override =
                new OperatorOverride(OverrideMode.FORCED_OPEN, "ann", "", Optional.of(UNTIL_THE_YEAR_9999));
        assertThat(sightingOf(new Holds(Duration.ZERO, Optional.of(override))).route(1))
                .isEqualTo(Route.FALLBACK);
    }

    @Test
    void a_pause_until_the_year_9999_holds_and_breaks_no_call() {
        assertThat(sightingOf(new Holds(UNTIL_THE_YEAR_9999, Optional.empty())).route(1))
                .isEqualTo(Route.FALLBACK);
    }

    private static Sighting sightingOf(Holds holds) {
        BreakerRow closed = BreakerRow.absent("rawg");
        BreakerRow edited = new BreakerRow(
                "rawg", 1, closed.standing(), closed.window(), closed.recovery(), holds, Optional.empty());
        return new Sighting(edited, 0, 0, 0);
    }
}
