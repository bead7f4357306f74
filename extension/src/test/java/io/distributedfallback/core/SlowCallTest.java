package io.distributedfallback.core;

import io.distributedfallback.Classification;
import io.distributedfallback.FailureKind;
import io.distributedfallback.Recovery;
import io.distributedfallback.RetryAfter;
import io.distributedfallback.core.Cluster.Instance;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;

import static io.distributedfallback.BreakerState.CLOSED;
import static io.distributedfallback.BreakerState.OPEN;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

/** A call that runs past {@code slow-call} counts when it is overdue, once, whatever becomes of it later. */
class SlowCallTest {

    private static final Duration LIMIT = Duration.ofSeconds(2);

    private final Cluster cluster = new Cluster();

    private Instance instance() {
        cluster.policy = cluster.policy.toBuilder().slowCall(LIMIT).build();
        return cluster.instance();
    }

    private static CompletableFuture<String> callStage(Instance instance, CompletableFuture<String> primary)
            throws Exception {
        return instance.callStage(() -> primary, failure -> CompletableFuture.completedFuture("fallback"))
                .toCompletableFuture();
    }

    /** A call that never ends. */
    private static void hang(Instance instance) throws Exception {
        assertThat(callStage(instance, new CompletableFuture<>())).isNotDone();
    }

    @Test
    void a_call_that_hangs_counts_as_slow_when_it_is_overdue() throws Exception { // D5
        Instance instance = instance();
        instance.call(() -> {
            cluster.time.pass(LIMIT);
            assertThat(instance.failures()).isZero();
            cluster.time.pass(Duration.ofNanos(1));
            assertThat(instance.failures()).isEqualTo(1);
            assertThat(instance.breaker.status().lastFailure()).hasValueSatisfying(failure -> {
                assertThat(failure.kind()).isEqualTo(FailureKind.SLOW);
                assertThat(failure.text()).isEqualTo("still on its way after 2000 ms, slow-call is 2000 ms");
            });
            return "late";
        });
        assertThat(instance.failures()).isEqualTo(1);
    }

    @Test
    void time_in_which_the_instance_stood_still_makes_no_call_slow() throws Exception {
        Instance instance = instance();
        List<CompletableFuture<String>> primaries = new ArrayList<>();
        for (int i = 0; i < 20; i++) {
            primaries.add(new CompletableFuture<>());
            CompletableFuture<String> unused = callStage(instance, primaries.get(i));
        }
        cluster.time.passSeconds(1);
        cluster.time.standStill(Duration.ofSeconds(10));
        cluster.time.passSeconds(1);
        primaries.forEach(primary -> primary.complete("primary"));
        assertThat(instance.failures()).isZero();
        assertThat(instance.breaker.isOpen()).isFalse();
    }

    @Test
    void after_a_standstill_a_call_has_its_time_once_more_and_no_longer() throws Exception {
        Instance instance = instance();
        hang(instance);
        cluster.time.passSeconds(1);
        cluster.time.standStill(Duration.ofSeconds(10));
        cluster.time.pass(LIMIT);
        assertThat(instance.failures()).isZero();
        cluster.time.pass(Duration.ofNanos(1));
        assertThat(instance.failures()).isEqualTo(1);
    }

    @Test
    void one_that_comes_back_before_the_timer_has_noticed_the_standstill_is_not_slow() throws Exception {
        Instance instance = instance();
        assertThat(instance.call(() -> {
                    cluster.time.passSeconds(1);
                    cluster.time.standStillAndWakeBeforeTimers(Duration.ofSeconds(10));
                    return "primary";
                }))
                .isEqualTo("primary");
        cluster.time.passSeconds(10);
        assertThat(instance.failures()).isZero();
    }

    @Test
    void a_timer_that_is_a_little_late_forgives_nothing() throws Exception {
        Instance instance = instance();
        hang(instance);
        cluster.time.passSeconds(1);
        cluster.time.standStill(LIMIT);
        assertThat(instance.failures()).isEqualTo(1);
    }

    @Test
    void a_call_that_set_out_when_the_timer_was_late_already_is_slow_by_its_own_time() throws Exception {
        Instance instance = instance();
        hang(instance);
        cluster.time.standStillAndWakeBeforeTimers(Duration.ofSeconds(100));
        instance.call(() -> {
            cluster.time.standStillAndWakeBeforeTimers(LIMIT.plusNanos(1));
            return "late";
        });
        assertThat(instance.failures()).isEqualTo(1);
    }

    @Test
    void without_a_timer_a_call_that_took_long_is_slow_however_long_it_took() throws Exception {
        Instance instance = instance();
        cluster.time.rejectTimers();
        instance.call(() -> {
            cluster.time.passSeconds(100);
            return "late";
        });
        assertThat(instance.failures()).isEqualTo(1);
    }

    @Test
    void twenty_calls_that_hang_open_the_breaker_while_they_hang_and_cost_one_write() throws Exception { // D5
        Instance instance = instance();
        List<CompletableFuture<String>> outcomes = new ArrayList<>();
        for (int i = 0; i < 20; i++) {
            outcomes.add(callStage(instance, new CompletableFuture<>()));
        }
        cluster.time.passSeconds(3);
        assertThat(instance.breaker.status().standing().state()).isEqualTo(OPEN);
        assertThat(instance.failures()).isEqualTo(20);
        assertThat(cluster.store.writes()).isEqualTo(1);
        assertThat(outcomes).noneMatch(CompletableFuture::isDone);
        assertThat(instance.call()).isEqualTo("fallback");
    }

    @Test
    void one_that_was_counted_resets_nothing_when_it_succeeds_after_all() throws Exception {
        Instance instance = instance();
        CompletableFuture<String> primary = new CompletableFuture<>();
        CompletableFuture<String> outcome = callStage(instance, primary);
        cluster.time.passSeconds(3);
        primary.complete("late");
        assertThat(outcome).isCompletedWithValue("late");
        assertThat(instance.failures()).isEqualTo(1);
        assertThat(cluster.store.writes()).isEqualTo(1);
    }

    @Test
    void one_that_was_counted_counts_no_more_when_it_fails_and_the_fallback_answers() throws Exception {
        Instance instance = instance();
        CompletableFuture<String> primary = new CompletableFuture<>();
        CompletableFuture<String> outcome = callStage(instance, primary);
        cluster.time.passSeconds(30);
        primary.completeExceptionally(new IOException("timed out"));
        assertThat(outcome).isCompletedWithValue("fallback");
        assertThat(instance.failures()).isEqualTo(1);
        assertThat(cluster.store.writes()).isEqualTo(1);
    }

    @Test
    void one_that_was_counted_may_still_ask_for_a_pause() throws Exception {
        Instance instance = instance();
        FailureRules throttled = FailureRules.forAll(
                Cluster.RAWG,
                List.of(failure -> Optional.of(Classification.throttled(new RetryAfter.In(Duration.ofSeconds(90))))),
                new BreakerListener() {});
        instance.<String>call(
                () -> {
                    cluster.time.passSeconds(3);
                    throw new IOException("429");
                },
                failure -> "fallback",
                throttled);
        assertThat(instance.failures()).isEqualTo(1);
        assertThat(instance.breaker.status().holds().cooldownLeft()).isEqualTo(Duration.ofSeconds(90));
    }

    @Test
    void one_that_is_cancelled_when_overdue_counts_once_and_one_cancelled_in_time_is_neutral() throws Exception { // D2
        Instance instance = instance();
        callStage(instance, new CompletableFuture<>()).cancel(true);
        assertThat(instance.failures()).isZero();
        CompletableFuture<String> overdue = callStage(instance, new CompletableFuture<>());
        cluster.time.passSeconds(3);
        overdue.cancel(true);
        assertThat(instance.failures()).isEqualTo(1);
        assertThat(cluster.store.writes()).isEqualTo(1);
    }

    @Test
    void where_no_timer_is_to_be_had_a_call_is_found_too_slow_when_it_ends() throws Exception {
        cluster.timings =
                new Timings(Duration.ofMinutes(1), Duration.ofMinutes(2), Duration.ofSeconds(1), Duration.ofSeconds(1));
        Instance instance = instance();
        instance.visit();
        cluster.time.passSeconds(3); // the timer of that visit
        cluster.time.reject(true);
        CompletableFuture<String> primary = new CompletableFuture<>();
        CompletableFuture<String> outcome = callStage(instance, primary);
        cluster.time.reject(false);
        cluster.time.passSeconds(3);
        assertThat(instance.failures()).isZero();
        primary.complete("late");
        assertThat(outcome).isCompletedWithValue("late");
        assertThat(instance.failures()).isEqualTo(1);
        assertThatThrownBy(() -> instance.call(() -> {
                    cluster.time.reject(true);
                    cluster.time.passSeconds(3);
                    cluster.time.reject(false);
                    throw new CancellationException();
                }))
                .isInstanceOf(CancellationException.class);
        assertThat(instance.failures()).isEqualTo(2);
    }

    @Test
    void where_no_timer_is_to_be_had_calls_that_hang_count_when_the_next_one_sets_out_and_are_kept_no_longer()
            throws Exception {
        Instance instance = instance();
        instance.visit();
        cluster.time.passSeconds(3); // the timer of that visit
        cluster.time.rejectTimers();
        for (int i = 0; i < 2; i++) {
            hang(instance);
        }
        cluster.time.passSeconds(3);
        assertThat(instance.failures()).isZero();
        hang(instance);
        assertThat(instance.failures()).isEqualTo(2);
        assertThat(instance.breaker.outcomes().isIdle())
                .as("the third is on its way")
                .isFalse();
        cluster.time.passSeconds(3);
        instance.visit();
        assertThat(instance.breaker.outcomes().isIdle()).isTrue();
    }

    @Test
    void calls_that_end_in_time_write_nothing_and_share_one_timer() throws Exception {
        Instance instance = instance();
        for (int i = 0; i < 1000; i++) {
            instance.visit();
            cluster.time.pass(Duration.ofMillis(10));
            assertThat(cluster.time.timersSet()).isLessThanOrEqualTo(1);
        }
        assertThat(cluster.store.writes()).isZero();
        cluster.time.pass(LIMIT.plusNanos(1));
        assertThat(cluster.time.timersSet()).isZero();
    }

    @Test
    void a_later_call_is_overdue_at_its_own_time() throws Exception {
        Instance instance = instance();
        hang(instance);
        cluster.time.passSeconds(1);
        hang(instance);
        cluster.time.pass(Duration.ofMillis(1001));
        assertThat(instance.failures()).isEqualTo(1);
        cluster.time.passSeconds(1);
        assertThat(instance.failures()).isEqualTo(2);
        assertThat(cluster.time.timersSet()).isZero();
    }

    @Test
    void a_breaker_with_slow_call_off_sets_no_timer() throws Exception {
        Instance instance = cluster.instance();
        hang(instance);
        instance.visit();
        assertThat(cluster.time.timersSet()).isZero();
    }

    @Test
    void an_application_that_stops_leaves_no_timer() throws Exception {
        Instance instance = instance();
        hang(instance);
        instance.breakers.close();
        assertThat(cluster.time.timersSet()).isZero();
    }

    @Test
    void a_trial_that_never_completes_gives_its_lease_back_when_it_is_overdue() throws Exception {
        cluster.policy = new PolicyBuilder().recovery(Recovery.TRIAL).build();
        Instance instance = instance();
        cluster.open(instance);
        cluster.passInterval();
        CompletableFuture<String> primary = new CompletableFuture<>();
        CompletableFuture<String> outcome = callStage(instance, primary);
        assertThat(instance.breaker.status().recovery().leaseLeft()).isPositive();
        cluster.time.passSeconds(3);
        assertThat(instance.breaker.status().recovery().leaseLeft()).isZero();
        assertThat(cluster.told).containsExactly("FAIL SLOW still on its way after 2000 ms, slow-call is 2000 ms");
        assertThat(cluster.time.timersSet()).isZero();
        primary.complete("late");
        assertThat(outcome).isCompletedWithValue("late");
        assertThat(instance.breaker.status().standing().state()).isEqualTo(OPEN);
        assertThat(instance.failures()).isEqualTo(3);
    }

    @Test
    void a_trial_without_slow_call_gives_its_lease_back_at_the_time_limit_of_a_probe() throws Exception {
        cluster.policy = new PolicyBuilder().recovery(Recovery.TRIAL).build();
        Instance instance = cluster.instance();
        cluster.open(instance);
        cluster.passInterval();
        hang(instance);
        cluster.time.pass(cluster.policy.probeTimeout());
        assertThat(instance.breaker.status().recovery().leaseLeft()).isZero();
        assertThat(instance.breaker.status().standing().state()).isNotEqualTo(CLOSED);
    }
}
