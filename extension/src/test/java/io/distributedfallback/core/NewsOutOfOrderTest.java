package io.distributedfallback.core;

import io.distributedfallback.BreakerAlert;
import io.distributedfallback.BreakerCommanded;
import io.distributedfallback.BreakerState;
import io.distributedfallback.BreakerStatus.Holds;
import io.distributedfallback.BreakerStatus.RecoveryProgress;
import io.distributedfallback.BreakerStatus.Standing;
import io.distributedfallback.BreakerStatus.Window;
import io.distributedfallback.BreakerTransition;
import io.distributedfallback.OperatorCommand;
import io.distributedfallback.Route;
import io.distributedfallback.TransitionCause;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Set;
import org.junit.jupiter.api.Test;

import static io.distributedfallback.core.Cluster.RAWG;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

/** Two reads under way at the same time, news that come late, and threads that are gone when news come. */
class NewsOutOfOrderTest {

    private static final Instant NOON = Instant.parse("2026-01-01T12:00:00Z");

    private final Cluster cluster = new Cluster();
    private final ManualTime time = cluster.time;
    private final Surroundings surroundings =
            new Surroundings(time, time, new BreakerListener() {}, Timings.DEFAULT, Instruments.NONE);

    private StoreCopy copy(StoreHealth health) {
        return new StoreCopy(Optional.of(cluster.store.as("a")), health, surroundings);
    }

    @Test
    void what_waits_for_the_next_read_is_done_once_when_two_are_answered_together() {
        StoreCopy copy = copy(new StoreHealth(time, () -> 0, new StoreHealth.Watcher() {}));
        List<String> done = new ArrayList<>();
        for (String task : List.of("one", "other")) {
            copy.afterNextRead(() -> {
                done.add(task);
                boolean unused = copy.readAnew();
            });
        }
        assertThat(copy.readAnew()).isTrue();
        assertThat(done).containsExactlyInAnyOrder("one", "other");
    }

    @Test
    void hearing_goes_on_after_a_read_that_ended_in_something_unheard_of() {
        StoreHealth health = new StoreHealth(time, () -> 0, new StoreHealth.Watcher() {
            @Override
            public void lost(StoreException reason) {
                throw new IllegalStateException("whoever is told of the loss fails");
            }
        });
        PromptReads reads = new PromptReads(copy(health), surroundings);
        cluster.store.goAway();
        assertThatIllegalStateException().isThrownBy(reads::changed);
        cluster.store.comeBack();
        int before = cluster.store.reads();
        time.passSeconds(2);
        assertThat(cluster.store.reads()).isEqualTo(before + 1);
        reads.changed();
        time.passSeconds(1);
        assertThat(cluster.store.reads()).isEqualTo(before + 2);
    }

    @Test
    void an_answer_that_comes_after_that_of_a_later_read_is_no_news() {
        List<BreakerAlert> told = new ArrayList<>();
        Alerts alerts = alerts(told);
        long before = time.nanos();
        time.pass(Duration.ofMillis(20));
        alerts.storeRead(List.of(), time.nanos());
        alerts.storeRead(List.of(open()), before);
        time.passSeconds(600);
        assertThat(told).isEmpty();
        assertThat(alerts.watched()).isZero();
    }

    @Test
    void an_answer_that_was_asked_for_before_a_breaker_closed_does_not_open_it_again() {
        List<BreakerAlert> told = new ArrayList<>();
        Alerts alerts = alerts(told);
        alerts.storeRead(List.of(open()), time.nanos());
        time.passSeconds(3600);
        long before = time.nanos();
        time.pass(Duration.ofMillis(20));
        alerts.transitioned(new BreakerTransition(
                RAWG, BreakerState.OPEN, BreakerState.CLOSED, TransitionCause.PROBES, "a", NOON.plusSeconds(3600)));
        alerts.storeRead(List.of(open()), before);
        told.clear();
        time.passSeconds(600);
        assertThat(told).isEmpty();
    }

    private Alerts alerts(List<BreakerAlert> told) {
        return new Alerts(
                AlertRules.DEFAULT, time, time, new AlertTeller("a", Clock.fixed(NOON, ZoneOffset.UTC), told::add));
    }

    private static BreakerRow open() {
        return new BreakerRow(
                RAWG,
                1,
                new Standing(BreakerState.OPEN, 3, OptionalInt.of(3), Set.of(), Optional.of(NOON), Optional.empty()),
                Window.NONE,
                new RecoveryProgress(0, Optional.empty(), Duration.ZERO, 0),
                new Holds(Duration.ZERO, Optional.empty()),
                Optional.empty());
    }

    @Test
    void a_command_that_was_carried_out_succeeds_though_no_thread_is_left_to_read_after_it() {
        BreakerListener listener = new BreakerListener() {
            @Override
            public void commanded(BreakerCommanded commanded) {
                time.reject(true);
            }
        };
        CircuitBreakers breakers = new CircuitBreakers(
                Optional.of(cluster.store.as("a")),
                new MemoryBreakerStore(time, NOON, "a"),
                new Surroundings(time, time, listener, Timings.DEFAULT, Instruments.NONE),
                new Application(any -> cluster.policy, Map.of(), List.of(), Cluster.Rejection::new));
        ControlRoom room = breakers.controlRoom("a", Set.of("unused"));
        room.refresh();
        time.passSeconds(1);
        assertThat(room.command(
                                "unused",
                                new OperatorCommand(
                                        OperatorCommand.Action.FORCE_OPEN, "ann", "a test", Optional.empty()))
                        .orElseThrow()
                        .route())
                .isEqualTo(Route.FALLBACK);
    }
}
