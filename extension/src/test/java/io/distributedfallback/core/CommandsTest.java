package io.distributedfallback.core;

import io.distributedfallback.BreakerCommanded;
import io.distributedfallback.BreakerState;
import io.distributedfallback.BreakerStatus;
import io.distributedfallback.BreakerTransition;
import io.distributedfallback.CommandFailedException;
import io.distributedfallback.OperatorCommand;
import io.distributedfallback.OverrideMode;
import io.distributedfallback.Recovery;
import io.distributedfallback.Route;
import io.distributedfallback.TransitionCause;
import io.distributedfallback.core.Cluster.Instance;
import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

/** What an operator says on one instance, and what all of them make of it. */
class CommandsTest {

    private final Cluster cluster = new Cluster();
    private final Instance one = cluster.instance();
    private final Instance other = cluster.instance();

    @BeforeEach
    void all_is_well() throws Exception {
        one.visit();
        other.visit();
    }

    private void readAgain(Instance instance) throws Exception {
        cluster.time.passSeconds(3);
        instance.visit();
    }

    @Test
    void the_instance_that_is_told_follows_at_once_and_all_others_when_they_read_next() throws Exception { // E3
        BreakerStatus status = one.breaker.forceOpen("ann", "they asked us to stop");

        assertThat(status.route()).isEqualTo(Route.FALLBACK);
        assertThat(status.holds().override().orElseThrow().by()).isEqualTo("ann");
        assertThat(one.visit()).isEqualTo("fallback");
        assertThat(one.breaker.isOpen()).isTrue();
        readAgain(other);
        assertThat(other.visit()).isEqualTo("fallback");
        assertThat(cluster.instance().visit()).as("one that starts later").isEqualTo("fallback");

        other.breaker.clearOverride("bob", "they are back");
        assertThat(other.visit()).isEqualTo("primary");
        readAgain(one);
        assertThat(one.visit()).isEqualTo("primary");
    }

    @Test
    void each_command_is_told_once_and_a_reset_that_closes_also_as_a_transition() throws Exception {
        cluster.open(one);
        one.breaker.forceClosed("ann", "for a test", Duration.ofMinutes(5));
        one.breaker.reset("ann", "tested");

        assertThat(cluster.commands)
                .extracting(told -> told.command().action())
                .containsExactly(OperatorCommand.Action.FORCE_CLOSED, OperatorCommand.Action.RESET);
        assertThat(cluster.transitions)
                .extracting(BreakerTransition::cause)
                .containsExactly(TransitionCause.FAILURES, TransitionCause.OPERATOR);
        assertThat(cluster.commands.get(0).instance())
                .isEqualTo(cluster.transitions.get(0).instance());
    }

    @Test
    void a_reason_that_nobody_can_see_is_none() {
        for (String unseen : List.of("\u200b", "\u00a0", "\u202e ", "\ud83d")) {
            assertThatIllegalArgumentException()
                    .isThrownBy(() ->
                            new OperatorCommand(OperatorCommand.Action.FORCE_OPEN, "ann", unseen, Optional.empty()))
                    .withMessageContaining("reason must have");
        }
    }

    @Test
    void forced_open_while_open_with_a_probe_due_means_no_probe_and_no_closing_until_cleared() // E1
            throws Exception {
        cluster.open(one);
        one.breaker.forceOpen("ann", "they asked us to stop");
        readAgain(other);
        cluster.provider.up();
        for (int i = 0; i < 100; i++) {
            cluster.passInterval();
            assertThat(one.visit()).isEqualTo("fallback");
            assertThat(other.visit()).isEqualTo("fallback");
        }
        assertThat(cluster.provider.probes).isZero();
        cluster.time.passSeconds(1);

        one.breaker.clearOverride("ann", "they are back");
        for (int i = 0; i < 3; i++) {
            assertThat(one.visit()).isEqualTo("fallback");
            cluster.passInterval();
        }
        assertThat(cluster.provider.probes).isEqualTo(3);
        assertThat(one.visit()).isEqualTo("primary");
    }

    @Test
    void forced_open_while_a_probe_is_under_way_that_would_close_stays_forced_open() throws Exception { // B6
        cluster.policy = cluster.policy.toBuilder().probeSuccesses(1).build();
        cluster.open(one);
        cluster.provider.up();
        cluster.passInterval();
        cluster.provider.whileAsked = () -> {
            cluster.provider.whileAsked = () -> {};
            other.breaker.forceOpen("ann", "not yet");
        };
        one.visit();

        assertThat(cluster.provider.probes).isEqualTo(1);
        assertThat(cluster.transitions).hasSize(1);
        assertThat(one.visit()).isEqualTo("fallback");
        BreakerRow row = cluster.store.readAll().get(0);
        assertThat(row.isOpen()).isTrue();
        assertThat(row.holds().override().orElseThrow().mode()).isEqualTo(OverrideMode.FORCED_OPEN);
    }

    @Test
    void forced_closed_goes_on_counting_opens_underneath_and_routes_by_that_when_it_ends() throws Exception {
        one.breaker.forceClosed("ann", "no fallback today", Duration.ofMinutes(10));
        cluster.provider.down();
        for (int i = 0; i < 5; i++) {
            assertThat(one.visit()).isEqualTo("fallback");
        }
        assertThat(cluster.provider.visitors).as("each asks the provider").isEqualTo(7);
        assertThat(one.breaker.isOpen()).isFalse();
        assertThat(one.breaker.status().standing().state()).isEqualTo(BreakerState.OPEN);
        assertThat(cluster.transitions).hasSize(1);
        cluster.provider.up();
        assertThat(one.visit()).isEqualTo("primary");

        cluster.time.pass(Duration.ofMinutes(10));
        int before = cluster.provider.visitors;
        assertThat(one.visit()).isEqualTo("fallback");
        assertThat(cluster.provider.visitors).isEqualTo(before);
        assertThat(one.breaker.status().holds().override()).isEmpty();
    }

    @Test
    void forced_closed_outranks_what_an_instance_found_out_alone() throws Exception {
        cluster.policy = cluster.policy.toBuilder().quorum(2).build();
        cluster.open(one);
        one.visit();
        assertThat(one.breaker.status().alone()).isTrue();

        one.breaker.forceClosed("ann", "for a test");

        cluster.provider.up();
        assertThat(one.breaker.isOpen()).isFalse();
        assertThat(one.breaker.status().alone()).isFalse();
        assertThat(one.breaker.status().route()).isEqualTo(Route.PRIMARY);
        assertThat(one.visit()).isEqualTo("primary");
        one.breaker.clearOverride("ann", "tested");
        assertThat(one.breaker.status().alone()).isTrue();
        assertThat(one.visit()).isEqualTo("fallback");
        one.breaker.reset("ann", "it is well");
        assertThat(one.visit()).isEqualTo("primary");
    }

    @Test
    void a_reset_makes_all_instances_go_back_to_the_provider_with_nothing_counted() throws Exception {
        cluster.open(one);
        readAgain(other);
        cluster.provider.up();
        cluster.time.passSeconds(1);

        BreakerStatus status = other.breaker.reset("ann", "mended");

        assertThat(status.standing().consecutiveFailures()).isZero();
        assertThat(other.visit()).isEqualTo("primary");
        readAgain(one);
        assertThat(one.visit()).isEqualTo("primary");
    }

    @Test
    void a_caller_is_told_that_an_operator_did_it_and_when_a_retry_makes_sense() {
        one.breaker.forceOpen("ann", "they asked us to stop", Duration.ofMinutes(5));
        cluster.time.pass(Duration.ofMinutes(1));

        assertThatThrownBy(() -> one.breaker.call(cluster.provider::visit))
                .isInstanceOfSatisfying(
                        Cluster.Rejection.class,
                        rejection -> assertThat(rejection.retryAfter).isEqualTo(Duration.ofMinutes(4)))
                .hasMessage("breaker rawg was forced open by an operator");
    }

    @Test
    void a_store_that_does_not_answer_fails_the_command_and_nothing_changes_here() throws Exception {
        cluster.store.goAway();

        assertThatThrownBy(() -> one.breaker.forceOpen("ann", "down"))
                .isInstanceOf(CommandFailedException.class)
                .hasMessageStartingWith("DFB309: the command failed: FORCE_OPEN of breaker rawg [DFB302")
                .hasCauseInstanceOf(StoreException.class);

        assertThat(one.breaker.isOpen()).isFalse();
        assertThat(cluster.commands).isEmpty();
        assertThat(cluster.told)
                .as("a command is no reason to take the store for lost")
                .isEmpty();
    }

    @Test
    void a_command_is_never_told_to_the_stand_in_alone() throws Exception {
        cluster.store.goAway();
        cluster.open(one);
        assertThat(cluster.told).containsExactly("lost DFB302");

        assertThatThrownBy(() -> one.breaker.reset("ann", "mended")).isInstanceOf(CommandFailedException.class);

        assertThat(one.breaker.isOpen()).isTrue();
    }

    @Test
    void a_command_finds_out_that_the_store_is_back() throws Exception {
        cluster.store.goAway();
        cluster.open(one);
        cluster.store.comeBack();
        cluster.time.pass(Duration.ofMinutes(2));

        one.breaker.forceOpen("ann", "down");

        assertThat(cluster.store.readAll()).hasSize(1);
        assertThat(one.breaker.isOpen()).isTrue();
    }

    @Test
    void a_command_of_which_it_is_not_known_whether_it_lasts_fails_and_shows_when_the_store_is_read() throws Exception {
        cluster.store.loseNextAnswer();
        assertThatThrownBy(() -> one.breaker.forceOpen("ann", "down")).isInstanceOf(CommandFailedException.class);
        assertThat(one.breaker.isOpen()).isFalse();

        readAgain(one);
        assertThat(one.visit()).isEqualTo("fallback");
    }

    @Test
    void an_override_holds_while_the_store_is_away_and_ends_when_it_says() throws Exception {
        one.breaker.forceOpen("ann", "down", Duration.ofMinutes(10));
        cluster.store.goAway();
        cluster.time.passSeconds(40);
        one.visit();
        assertThat(cluster.told).containsExactly("lost DFB302");
        assertThat(one.visit()).isEqualTo("fallback");
        cluster.time.pass(Duration.ofMinutes(10));
        assertThat(one.visit()).isEqualTo("primary");
    }

    @Test
    void an_override_outlives_restarts_and_the_retirement_of_rows() throws Exception {
        one.breaker.forceOpen("ann", "for good");
        one.breakers.close();
        cluster.time.pass(Duration.ofDays(300));
        other.breakers.get("jikan").call(() -> Cluster.fail(), () -> "fallback");

        assertThat(cluster.instance().visit()).isEqualTo("fallback");
    }

    @Test
    void the_history_can_be_read_here_and_has_every_command() throws Exception {
        cluster.open(one);
        one.breaker.reset("ann", "mended");

        List<HistoryEntry> history =
                other.breakers.history(new HistoryQuery(Optional.of("rawg"), OptionalLong.empty(), 10));

        assertThat(history)
                .extracting(HistoryEntry::cause)
                .containsExactly(TransitionCause.OPERATOR, TransitionCause.FAILURES);
        cluster.store.goAway();
        assertThatThrownBy(() -> one.breakers.history(new HistoryQuery(Optional.empty(), OptionalLong.empty(), 1)))
                .isInstanceOf(StoreException.class);
    }

    @Test
    void secrets_of_failures_and_of_operators_never_reach_the_history() throws Exception {
        String url = "https://user:hunter2@api.example.org/v1?key=topsecret&page=1";
        for (int i = 0; i < 3; i++) {
            one.call(() -> {
                throw new IOException("GET " + url + " failed");
            });
        }
        one.breaker.forceOpen("ann", "see " + url);

        List<HistoryEntry> history = one.breakers.history(new HistoryQuery(Optional.empty(), OptionalLong.empty(), 10));
        assertThat(history).hasSize(2);
        assertThat(history.toString())
                .contains("api.example.org/v1")
                .doesNotContain("hunter2")
                .doesNotContain("topsecret");
        assertThat(one.breaker.status().toString()).doesNotContain("hunter2").doesNotContain("topsecret");
    }

    @Test
    void an_instance_that_keeps_its_breakers_to_itself_can_be_steered_as_well() throws Exception {
        List<OperatorCommand> told = new ArrayList<>();
        MemoryBreakerStore memory = new MemoryBreakerStore(cluster.time, Instant.EPOCH, "alone");
        BreakerListener ears = new BreakerListener() {
            @Override
            public void commanded(BreakerCommanded commanded) {
                told.add(commanded.command());
            }
        };
        CircuitBreakers breakers = new CircuitBreakers(
                Optional.empty(),
                memory,
                new Surroundings(cluster.time, cluster.time, ears, Timings.DEFAULT),
                new Application(
                        name -> new PolicyBuilder().recovery(Recovery.PROBE).build(),
                        Map.of(),
                        List.of(),
                        Cluster.Rejection::new));

        assertThat(breakers.get("rawg").forceOpen("ann", "down").route()).isEqualTo(Route.FALLBACK);
        assertThat(breakers.get("rawg").isOpen()).isTrue();
        assertThat(told).hasSize(1);
        assertThat(breakers.history(new HistoryQuery(Optional.empty(), OptionalLong.empty(), 10)))
                .hasSize(1);
    }
}
