package io.distributedfallback.admin;

import io.distributedfallback.BreakerState;
import io.distributedfallback.BreakerStatus;
import io.distributedfallback.BreakerStatus.Holds;
import io.distributedfallback.BreakerStatus.OperatorOverride;
import io.distributedfallback.BreakerStatus.RampUp;
import io.distributedfallback.BreakerStatus.RecoveryProgress;
import io.distributedfallback.BreakerStatus.Standing;
import io.distributedfallback.BreakerStatus.Window;
import io.distributedfallback.OverrideMode;
import io.distributedfallback.ProbeTrigger;
import io.distributedfallback.Recovery;
import io.distributedfallback.Route;
import io.distributedfallback.core.Policy;
import io.distributedfallback.core.PolicyBuilder;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Set;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/** What a breaker is doing and why, in a sentence. */
class WhyTest {

    private static final Instant NOW = Instant.parse("2026-03-01T12:04:00Z");
    private static final Instant OPENED = Instant.parse("2026-03-01T12:03:11.250Z");
    private static final Policy PROBED =
            new PolicyBuilder().recovery(Recovery.PROBE).build();

    private Standing standing = Standing.NEVER_FAILED;
    private Window window = Window.NONE;
    private RecoveryProgress recovery = RecoveryProgress.NONE;
    private Holds holds = Holds.NONE;
    private boolean alone;
    private Policy policy = PROBED;

    private String why() {
        return Why.of(
                new BreakerStatus(
                        "rawg",
                        Route.PRIMARY,
                        alone,
                        standing,
                        window,
                        recovery,
                        holds,
                        Optional.empty(),
                        Optional.empty()),
                policy,
                NOW);
    }

    private void open(int failures, Instant at) {
        standing = new Standing(
                BreakerState.OPEN, failures, OptionalInt.of(3), Set.of("a"), Optional.of(at), Optional.empty());
        recovery = new RecoveryProgress(1, Optional.of(Duration.ofMillis(7_400)), Duration.ZERO, 4);
    }

    @Test
    void an_open_breaker_says_since_when_why_and_how_it_goes_on() {
        open(3, OPENED);
        assertThat(why())
                .isEqualTo("Open since 12:03:11Z after 3 failures in a row; 1 of 3 probes passed, next probe in 8 s.");
    }

    @Test
    void of_another_day_it_names_the_day() {
        open(3, Instant.parse("2026-02-27T23:00:00Z"));
        assertThat(why()).startsWith("Open since 2026-02-27T23:00:00Z after");
    }

    @Test
    void one_that_opened_by_its_ratio_names_the_calls() {
        open(1, OPENED);
        window = new Window(20, 12, Duration.ZERO);
        assertThat(why()).startsWith("Open since 12:03:11Z after 12 of 20 calls failed; ");
    }

    @Test
    void a_probe_that_is_under_way_or_due_is_named() {
        open(3, OPENED);
        recovery = new RecoveryProgress(0, Optional.of(Duration.ZERO), Duration.ofSeconds(9), 4);
        assertThat(why()).endsWith("; 0 of 3 probes passed, a probe is under way.");
        recovery = new RecoveryProgress(0, Optional.of(Duration.ZERO), Duration.ZERO, 4);
        assertThat(why()).endsWith("; 0 of 3 probes passed, the next call brings the next probe.");
        policy = policy.toBuilder().probeTrigger(ProbeTrigger.BACKGROUND).build();
        assertThat(why()).endsWith("; 0 of 3 probes passed, the next probe is due.");
        policy = new PolicyBuilder().recovery(Recovery.TRIAL).build();
        assertThat(why()).endsWith("; 0 of 1 trials passed, the next call brings the next trial.");
    }

    @Test
    void one_that_ramps_up_says_how_far_it_is() {
        standing = new Standing(
                BreakerState.CLOSED, 0, OptionalInt.empty(), Set.of(), Optional.of(OPENED), Optional.of(OPENED));
        recovery = new RecoveryProgress(
                0,
                Optional.empty(),
                Duration.ZERO,
                4,
                Optional.of(new RampUp(Duration.ofMinutes(3), Duration.ofMinutes(5))));
        assertThat(why())
                .isEqualTo("Closed since 12:03:11Z, and ramping up: 40 % of the calls go to the primary, all of them in"
                        + " 3 min.");
    }

    @Test
    void an_override_comes_first_with_who_and_why() {
        open(3, OPENED);
        holds = new Holds(
                Duration.ZERO,
                Optional.of(new OperatorOverride(OverrideMode.FORCED_OPEN, "anna", "maintenance", Optional.empty())));
        assertThat(why()).isEqualTo("Forced open by anna until somebody clears it: maintenance.");
        holds = new Holds(
                Duration.ZERO,
                Optional.of(new OperatorOverride(
                        OverrideMode.FORCED_CLOSED, "anna", "Only a glitch!", Optional.of(Duration.ofMinutes(10)))));
        assertThat(why()).isEqualTo("Forced closed by anna for another 10 min: Only a glitch!");
    }

    @Test
    void a_closed_breaker_says_what_it_counts() {
        assertThat(why()).isEqualTo("Closed, with no failures.");
        standing = new Standing(
                BreakerState.CLOSED, 2, OptionalInt.of(3), Set.of("a"), Optional.empty(), Optional.empty());
        assertThat(why()).isEqualTo("Closed, with 2 of 3 failures in a row.");
        window = new Window(31, 7, Duration.ofSeconds(12));
        assertThat(why())
                .isEqualTo("Closed, with 2 of 3 failures in a row and 7 of 31 calls failed in a window that ends in"
                        + " 12 s.");
    }

    @Test
    void a_pause_is_the_providers_wish() {
        holds = new Holds(Duration.ofSeconds(42), Optional.empty());
        assertThat(why()).isEqualTo("Closed, but in a pause that the provider asked for, which ends in 42 s.");
    }

    @Test
    void an_instance_that_keeps_away_alone_says_so() {
        alone = true;
        assertThat(why())
                .isEqualTo("Closed for all, but this instance alone keeps away, because the provider fails here.");
    }
}
