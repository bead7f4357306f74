package io.distributedfallback.core;

import io.distributedfallback.BreakerStatus;
import io.distributedfallback.BreakerTransition;
import io.distributedfallback.Classification;
import io.distributedfallback.OperatorCommand;
import io.distributedfallback.OperatorCommand.Action;
import io.distributedfallback.Recovery;
import io.distributedfallback.RetryAfter;
import io.distributedfallback.Route;
import io.distributedfallback.TransitionCause;
import io.distributedfallback.core.Cluster.Instance;
import io.distributedfallback.core.Cluster.Rejection;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Future;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import static io.distributedfallback.BreakerState.CLOSED;
import static io.distributedfallback.BreakerState.OPEN;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

/** After a breaker has closed the provider gets its traffic back bit by bit, and is left alone again at once if it fails. */
class RampUpTest {

    private static final Duration LENGTH = Duration.ofSeconds(100);

    private final Cluster cluster = new Cluster();
    private final Instance one = cluster.instance();
    private final Instance other = cluster.instance();
    private int draws;

    @BeforeEach
    void ramp() {
        cluster.policy =
                cluster.policy.toBuilder().probeSuccesses(1).rampUp(LENGTH).build();
    }

    /** From now on all calls draw this. */
    private void draw(double number) {
        cluster.chance = () -> {
            draws++;
            return number;
        };
    }

    /** An outage that is over. */
    private void recover(Instance instance) throws Exception {
        cluster.open(instance);
        cluster.provider.up();
        cluster.passInterval();
        instance.visit();
        assertThat(instance.breaker.status().standing().state()).isEqualTo(CLOSED);
        cluster.provider.visitors = 0;
    }

    private static double share(Instance instance) {
        return instance.breaker
                .status()
                .recovery()
                .rampUp()
                .map(BreakerStatus.RampUp::share)
                .orElse(1.0);
    }

    private List<TransitionCause> causes() {
        return cluster.transitions.stream().map(BreakerTransition::cause).toList();
    }

    @ParameterizedTest
    @ValueSource(ints = {0, 1, 10, 25, 50, 75, 90, 99, 100})
    void the_share_of_calls_that_go_to_the_primary_grows_linearly(int seconds) throws Exception {
        cluster.chance = new Random(seconds)::nextDouble;
        recover(one);
        cluster.time.passSeconds(seconds);
        int calls = 4_000;
        int primary = 0;
        for (int i = 0; i < calls; i++) {
            primary += one.call().equals("primary") ? 1 : 0;
        }
        double share = seconds / 100.0;
        double deviation = Math.sqrt(calls * share * (1 - share));
        assertThat(primary - calls * share).isBetween(-4 * deviation, 4 * deviation);
        assertThat(cluster.provider.visitors).isEqualTo(primary);
    }

    @Test
    void it_is_the_same_for_another_instance_that_reads_it_later() throws Exception {
        recover(one);
        cluster.time.passSeconds(40);
        other.visit();

        assertThat(share(one)).isEqualTo(0.4);
        assertThat(share(other)).isEqualTo(0.4);
        cluster.time.passSeconds(1);
        assertThat(share(other)).isEqualTo(0.41);
        assertThat(cluster.instance().breaker.status().recovery().rampUp()).isEmpty();
    }

    @Test
    void it_is_told_once_when_the_breaker_closes() throws Exception {
        recover(one);
        assertThat(cluster.told).containsExactly("ramps up in PT1M40S", "PASS");
        assertThat(causes()).containsExactly(TransitionCause.FAILURES, TransitionCause.PROBES);
    }

    @Test
    void a_trial_call_that_closes_begins_it_too() throws Exception {
        cluster.policy = cluster.policy.toBuilder().recovery(Recovery.TRIAL).build();
        recover(one);
        draw(0.5);
        assertThat(one.visit()).isEqualTo("fallback");
        cluster.time.passSeconds(51);
        assertThat(one.visit()).isEqualTo("primary");
    }

    @Test
    void each_call_draws_once_and_while_there_is_nothing_to_draw_for_none_does() throws Exception {
        draw(0);
        one.visit();
        cluster.open(one);
        one.visit();
        assertThat(draws).isZero();
        recover(one);
        draws = 0;
        cluster.time.passSeconds(1);
        one.visit();
        one.visit();
        assertThat(draws).isEqualTo(2);
    }

    @Test
    void when_it_is_over_a_call_looks_at_nothing_and_nobody_has_written() throws Exception {
        recover(one);
        int writes = cluster.store.writes();
        cluster.time.pass(LENGTH);
        draw(0.999);
        assertThat(one.visit()).isEqualTo("primary");
        assertThat(one.visit()).isEqualTo("primary");
        assertThat(draws).isZero();
        assertThat(one.breaker.holdsNothing()).isTrue();
        assertThat(cluster.store.writes()).isEqualTo(writes);
    }

    @Test
    void successes_while_it_lasts_write_nothing() throws Exception {
        recover(one);
        int writes = cluster.store.writes();
        draw(0);
        cluster.time.passSeconds(1);
        for (int i = 0; i < 10; i++) {
            assertThat(one.visit()).isEqualTo("primary");
        }
        assertThat(cluster.store.writes()).isEqualTo(writes);
    }

    @Test
    void without_a_fallback_a_call_is_told_when_it_would_have_been_let_through() throws Exception {
        recover(one);
        draw(0.8);
        cluster.time.passSeconds(20);

        assertThatThrownBy(() -> one.call(cluster.provider::visit, Cluster.Instead.none(), rules()))
                .isInstanceOfSatisfying(
                        Rejection.class,
                        rejection -> assertThat(rejection.retryAfter).isEqualTo(Duration.ofSeconds(60)))
                .hasMessageStartingWith(
                        "breaker rawg has closed, and so far lets only a share of the calls through; last failure: ");
        assertThat(one.breaker.status().route()).isEqualTo(Route.PRIMARY);
    }

    @Test
    void the_fallback_is_shown_with_its_reason() throws Exception {
        List<FallbackReason> reasons = new ArrayList<>();
        cluster.instruments = new Instruments() {
            @Override
            public Tracing tracing() {
                return new Tracing() {
                    @Override
                    public Trace fallback(String breaker, FallbackReason reason) {
                        reasons.add(reason);
                        return Trace.NONE;
                    }
                };
            }
        };
        Instance watched = cluster.instance();
        recover(watched);
        reasons.clear();
        draw(0.5);
        watched.visit();
        assertThat(reasons).containsExactly(FallbackReason.RAMP_UP);
    }

    @Test
    void the_first_failure_opens_again() throws Exception {
        recover(one);
        cluster.time.passSeconds(40);
        draw(0.1);
        cluster.provider.down();
        assertThat(other.visit()).isEqualTo("fallback");

        assertThat(causes()).containsExactly(TransitionCause.FAILURES, TransitionCause.PROBES, TransitionCause.RAMP_UP);
        assertThat(other.breaker.status().standing().state()).isEqualTo(OPEN);
        assertThat(other.visit()).isEqualTo("fallback");
        assertThat(cluster.provider.visitors).isEqualTo(1);
    }

    @Test
    void a_failure_of_a_call_from_before_the_outage_does_not() throws Exception {
        one.call(() -> {
            recover(other);
            cluster.time.passSeconds(50);
            throw new IOException("late");
        });
        assertThat(one.failures()).isZero();
        assertThat(cluster.transitions).hasSize(2);
        assertThat(share(one)).isEqualTo(0.5);
    }

    @Test
    void a_failure_of_a_call_from_an_earlier_way_back_does_not() throws Exception {
        recover(one);
        cluster.time.passSeconds(50);
        draw(0);
        one.call(() -> {
            cluster.provider.down();
            one.visit();
            cluster.provider.up();
            cluster.passInterval();
            one.visit();
            throw new IOException("late");
        });
        assertThat(causes()).endsWith(TransitionCause.RAMP_UP, TransitionCause.PROBES);
        assertThat(one.breaker.status().standing().state()).isEqualTo(CLOSED);
        assertThat(one.failures()).isZero();
    }

    @Test
    void a_call_that_is_overdue_opens_again() throws Exception {
        cluster.policy =
                cluster.policy.toBuilder().slowCall(Duration.ofSeconds(2)).build();
        recover(one);
        draw(0);
        cluster.time.passSeconds(1);
        assertThat(one.callStage(CompletableFuture::new, failure -> new CompletableFuture<>())
                        .toCompletableFuture())
                .isNotDone();
        cluster.time.passSeconds(3);
        assertThat(causes()).endsWith(TransitionCause.RAMP_UP);
        assertThat(cluster.transitions).hasSize(3);
    }

    @Test
    void stages_and_futures_belong_to_the_share_as_well() throws Exception {
        recover(one);
        draw(0.5);
        assertThat(stage(CompletableFuture.completedFuture("primary"))).isCompletedWithValue("fallback");
        assertThat(future(CompletableFuture.completedFuture("primary")).get()).isEqualTo("fallback");
        cluster.time.passSeconds(51);
        assertThat(stage(CompletableFuture.completedFuture("primary"))).isCompletedWithValue("primary");
        assertThat(future(CompletableFuture.completedFuture("primary")).get()).isEqualTo("primary");
        assertThat(stage(CompletableFuture.failedFuture(new IOException("HTTP 503"))))
                .isCompletedWithValue("fallback");
        assertThat(causes()).endsWith(TransitionCause.RAMP_UP);
    }

    @Test
    void a_future_that_fails_opens_again() throws Exception {
        recover(one);
        draw(0);
        cluster.time.passSeconds(1);
        assertThat(future(CompletableFuture.failedFuture(new IOException("HTTP 503")))
                        .get())
                .isEqualTo("fallback");
        assertThat(causes()).endsWith(TransitionCause.RAMP_UP);
    }

    private CompletableFuture<String> stage(CompletableFuture<String> primary) throws Exception {
        return one.callStage(() -> primary, failure -> CompletableFuture.completedFuture("fallback"))
                .toCompletableFuture();
    }

    private Future<String> future(CompletableFuture<String> primary) {
        return one.breaker.callFuture(
                "context",
                context -> primary,
                (context, failure) -> CompletableFuture.completedFuture("fallback"),
                rules());
    }

    private static FailureRules rules() {
        return FailureRules.forAll(Cluster.RAWG, List.of(), new BreakerListener() {});
    }

    @Test
    void throttled_it_starts_again_after_the_pause() throws Exception {
        recover(one);
        cluster.time.passSeconds(90);
        draw(0.5);
        FailureRules throttled = FailureRules.forAll(
                Cluster.RAWG,
                List.of(failure -> Optional.of(Classification.throttled(new RetryAfter.In(Duration.ofSeconds(20))))),
                new BreakerListener() {});
        one.call(Cluster::fail, failure -> "fallback", throttled);

        assertThat(one.visit()).isEqualTo("fallback");
        assertThat(share(one)).isZero();
        cluster.time.passSeconds(20 + 40);
        assertThat(share(one)).isEqualTo(0.4);
        assertThat(one.visit()).isEqualTo("fallback");
        cluster.time.passSeconds(11);
        assertThat(one.visit()).isEqualTo("primary");
        assertThat(cluster.transitions).hasSize(2);
    }

    @Test
    void what_says_nothing_about_the_provider_has_no_effect() throws Exception {
        recover(one);
        cluster.time.passSeconds(50);
        draw(0);
        for (Classification kind : List.of(
                Classification.of(io.distributedfallback.FailureKind.MISCONFIGURED),
                Classification.of(io.distributedfallback.FailureKind.LOCAL))) {
            FailureRules rules =
                    FailureRules.forAll(Cluster.RAWG, List.of(failure -> Optional.of(kind)), new BreakerListener() {});
            one.call(Cluster::fail, failure -> "fallback", rules);
        }
        assertThat(cluster.transitions).hasSize(2);
        assertThat(share(one)).isEqualTo(0.5);
    }

    @Test
    void an_operator_outranks_it() throws Exception {
        recover(one);
        draw(0.999);
        command(Action.FORCE_CLOSED, Optional.of(Duration.ofSeconds(10)));
        assertThat(one.visit()).isEqualTo("primary");
        cluster.provider.down();
        one.visit();
        assertThat(cluster.transitions)
                .as("all calls go there, so one failure is no sign")
                .hasSize(2);
        cluster.provider.up();
        cluster.time.passSeconds(11);
        assertThat(one.visit()).isEqualTo("fallback");
        command(Action.FORCE_OPEN, Optional.empty());
        assertThat(one.visit()).isEqualTo("fallback");
        command(Action.RESET, Optional.empty());
        command(Action.CLEAR_OVERRIDE, Optional.empty());
        assertThat(one.visit()).isEqualTo("primary");
    }

    private void command(Action action, Optional<Duration> expiry) {
        one.breaker.command(new OperatorCommand(action, "ann", "why not", expiry));
    }

    @Test
    void keys_ramp_up_each_by_itself() throws Exception {
        CircuitBreaker de = one.breakers.get(Cluster.RAWG, "de");
        cluster.provider.down();
        for (int i = 0; i < 3; i++) {
            de.call(cluster.provider::visit, () -> "fallback");
        }
        cluster.provider.up();
        cluster.passInterval();
        de.call(cluster.provider::visit, () -> "fallback");
        cluster.time.endRequest();
        draw(0.5);
        assertThat(de.call(cluster.provider::visit, () -> "fallback")).isEqualTo("fallback");
        assertThat(one.breakers.get(Cluster.RAWG, "fr").call(cluster.provider::visit, () -> "fallback"))
                .isEqualTo("primary");
        assertThat(one.visit()).isEqualTo("primary");
    }

    @Test
    void an_instance_that_keeps_away_alone_comes_back_bit_by_bit_too() throws Exception {
        cluster.policy = cluster.policy.toBuilder().quorum(2).build();
        cluster.open(one);
        cluster.provider.up();
        cluster.passInterval();
        one.visit();
        draw(0.5);
        assertThat(one.visit()).isEqualTo("fallback");
        assertThat(other.visit()).isEqualTo("primary");
        cluster.time.passSeconds(51);
        assertThat(one.visit()).isEqualTo("primary");
        cluster.provider.down();
        one.visit();
        assertThat(one.breaker.status().alone()).as("at the first failure").isTrue();
        assertThat(cluster.transitions).isEmpty();
    }

    @Test
    void the_stand_in_goes_on_with_it_while_the_store_is_away() throws Exception {
        recover(one);
        cluster.time.passSeconds(40);
        draw(0.5);
        cluster.store.goAway();
        cluster.time.passSeconds(31);
        one.visit();
        assertThat(share(one)).isEqualTo(0.71);
        cluster.provider.down();
        one.visit();
        assertThat(one.breaker.status().standing().state()).isEqualTo(OPEN);
    }
}
