package io.distributedfallback.core;

import io.distributedfallback.BreakerState;
import io.distributedfallback.Classification;
import io.distributedfallback.ProbeTrigger;
import io.distributedfallback.Recovery;
import io.distributedfallback.RetryAfter;
import io.distributedfallback.core.Cluster.Instance;
import java.io.IOException;
import java.net.URISyntaxException;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.RejectedExecutionException;
import org.junit.jupiter.api.Test;

import static io.distributedfallback.BreakerState.CLOSED;
import static io.distributedfallback.BreakerState.OPEN;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

/** The way back: probes, trials and their leases. The numbers are those of the field cases, part A. */
class RecoveringTest {

    private final Cluster cluster = new Cluster();
    private final Instance one = cluster.instance();
    private final Instance other = cluster.instance();

    private BreakerState state() {
        return one.breaker.status().standing().state();
    }

    @Test
    void closes_after_three_passes_in_a_row_an_interval_apart() throws Exception {
        cluster.open(one);
        cluster.provider.up();
        for (int pass = 1; pass <= 3; pass++) {
            assertThat(state()).isEqualTo(OPEN);
            cluster.time.passSeconds(14);
            one.visit();
            assertThat(cluster.provider.probes).isEqualTo(pass - 1);
            cluster.time.passSeconds(1);
            assertThat(one.visit()).isEqualTo("fallback");
            assertThat(cluster.provider.probes).isEqualTo(pass);
        }
        assertThat(state()).isEqualTo(CLOSED);
        assertThat(one.visit()).isEqualTo("primary");
        assertThat(cluster.transitions).hasSize(2);
    }

    @Test
    void the_request_that_notices_a_due_probe_does_not_wait_for_it() throws Exception {
        cluster.open(one);
        cluster.passInterval();
        assertThat(one.call()).isEqualTo("fallback");
        assertThat(cluster.provider.probes).isZero();
        cluster.time.endRequest();
        assertThat(cluster.provider.probes).isEqualTo(1);
    }

    @Test
    void eight_calls_that_notice_the_same_due_probe_hand_over_one() throws Exception { // A1
        cluster.open(one);
        cluster.passInterval();
        one.visit(); // has the copy refreshed, which is old by now
        int before = cluster.provider.probes;
        cluster.passInterval();
        for (int i = 0; i < 8; i++) {
            one.call();
        }
        cluster.time.endRequest();
        assertThat(cluster.provider.probes).isEqualTo(before + 1);
    }

    @Test
    void of_many_instances_that_see_it_due_one_probes() throws Exception { // A2
        cluster.open(one);
        cluster.passInterval();
        for (int i = 0; i < 50; i++) {
            assertThat(cluster.instance().call()).isEqualTo("fallback");
        }
        cluster.time.endRequest();
        assertThat(cluster.provider.probes).isEqualTo(1);
    }

    @Test
    void when_the_holder_dies_the_next_takes_over_as_the_lease_ends_and_not_before() throws Exception { // A3
        cluster.open(one);
        cluster.passInterval();
        cluster.store.acquireProbe(Cluster.RAWG, cluster.policy); // by somebody who dies now
        cluster.time.pass(cluster.policy.probeLease().minusMillis(1));
        other.visit();
        other.visit();
        assertThat(cluster.provider.probes).isZero();
        cluster.time.pass(Duration.ofMillis(1));
        other.visit();
        assertThat(cluster.provider.probes).isEqualTo(1);
    }

    @Test
    void a_verdict_that_comes_after_the_lease_went_to_another_changes_nothing() throws Exception { // A4
        cluster.open(one);
        cluster.passInterval();
        long old = cluster.store
                .acquireProbe(Cluster.RAWG, cluster.policy)
                .orElseThrow()
                .row()
                .recovery()
                .token();
        cluster.time.pass(cluster.policy.probeLease());
        other.visit(); // a second probe, which fails: the provider is down
        assertThat(cluster.store.reportProbe(Cluster.RAWG, old, ProbeVerdict.PASS, cluster.policy))
                .isEmpty();
    }

    @Test
    void a_probe_that_never_returns_is_failed_at_its_timeout_and_the_next_is_due_an_interval_later() // A6
            throws Exception {
        cluster.open(one);
        cluster.provider.up();
        cluster.provider.whileAsked = () -> cluster.time.pass(cluster.policy.probeTimeout());
        cluster.passInterval();
        one.visit();
        assertThat(cluster.told).contains("FAIL no answer within 5000 ms (probe-timeout)");
        assertThat(one.breaker.status().recovery().leaseLeft()).isZero();
        assertThat(one.breaker.status().recovery().untilNextProbe()).contains(cluster.policy.probeInterval());
        assertThat(one.breaker.status().recovery().consecutiveSuccesses()).isZero();

        cluster.provider.whileAsked = () -> {};
        cluster.time.pass(Duration.ofDays(6));
        for (int i = 0; i < 3; i++) {
            other.visit();
            cluster.passInterval();
        }
        assertThat(other.breaker.status().standing().state()).isEqualTo(CLOSED);
    }

    @Test
    void the_thread_of_an_overdue_probe_is_interrupted_and_left_clean() throws Exception {
        cluster.open(one);
        boolean[] interrupted = new boolean[1];
        cluster.provider.whileAsked = () -> {
            Thread timer = new Thread(() -> cluster.time.pass(cluster.policy.probeTimeout()));
            timer.start();
            try {
                timer.join(10_000);
                interrupted[0] = Thread.currentThread().isInterrupted();
            } catch (InterruptedException e) {
                interrupted[0] = true;
            }
        };
        cluster.passInterval();
        one.visit();
        assertThat(interrupted[0]).isTrue();
        assertThat(Thread.currentThread().isInterrupted()).isFalse();
    }

    @Test
    void a_probe_that_fails_for_reasons_of_our_own_is_inconclusive_and_nobody_is_stuck() throws Exception { // A7, A11
        cluster.open(one);
        cluster.provider.failure = new RejectedExecutionException("pool exhausted");
        cluster.passInterval();
        one.visit();
        assertThat(cluster.told)
                .anyMatch(line -> line.startsWith("INCONCLUSIVE LOCAL") && line.contains("pool exhausted"));
        assertThat(one.breaker.status().recovery().leaseLeft()).isZero();
        assertThat(one.breaker.status().recovery().untilNextProbe()).contains(cluster.policy.probeInterval());
    }

    @Test
    void an_error_in_the_probe_is_inconclusive_and_does_not_kill_its_thread() throws Exception {
        cluster.open(one);
        cluster.provider.whileAsked = () -> {
            throw new NoClassDefFoundError("a/missing/Library");
        };
        cluster.passInterval();
        one.visit();
        assertThat(cluster.told).anyMatch(line -> line.startsWith("INCONCLUSIVE") && line.contains("NoClassDefFound"));
        assertThat(one.breaker.status().recovery().leaseLeft()).isZero();
    }

    @Test
    void an_inconclusive_probe_keeps_the_passes_so_far() throws Exception {
        cluster.open(one);
        cluster.provider.up();
        cluster.passInterval();
        one.visit();
        cluster.provider.failure = new IllegalArgumentException(new URISyntaxException("x", "y"));
        cluster.passInterval();
        one.visit();
        assertThat(one.breaker.status().recovery().consecutiveSuccesses()).isEqualTo(1);
    }

    @Test
    void a_flapping_provider_closes_only_after_three_in_a_row() throws Exception { // A12
        cluster.open(one);
        boolean[] passes = {true, true, false, true, true, true};
        for (int i = 0; i < passes.length; i++) {
            assertThat(state()).isEqualTo(OPEN);
            if (passes[i]) {
                cluster.provider.up();
            } else {
                cluster.provider.down();
            }
            cluster.passInterval();
            one.visit();
        }
        assertThat(state()).isEqualTo(CLOSED);
    }

    @Test
    void after_a_night_without_traffic_the_first_visitor_gets_the_fallback_and_starts_the_recovery() // A13
            throws Exception {
        cluster.open(one);
        cluster.provider.up();
        cluster.time.pass(Duration.ofHours(8));
        assertThat(cluster.provider.probes).isZero();
        assertThat(one.call()).isEqualTo("fallback");
        cluster.time.endRequest();
        assertThat(cluster.provider.probes).isEqualTo(1);
    }

    @Test
    void with_background_probes_it_recovers_without_traffic() throws Exception { // A13
        cluster.policy =
                cluster.policy.toBuilder().probeTrigger(ProbeTrigger.BACKGROUND).build();
        Instance server = cluster.instance();
        server.breakers.startBackgroundProbes();
        cluster.open(server);
        cluster.provider.up();
        for (int second = 0; second < 60; second++) {
            cluster.time.passSeconds(1);
            cluster.time.endRequest();
        }
        assertThat(server.breaker.status().standing().state()).isEqualTo(CLOSED);
        assertThat(cluster.provider.probes).isEqualTo(3);
        server.breakers.close();
        assertThat(cluster.time.timersSet()).isZero();
    }

    @Test
    void a_timer_of_background_probes_that_no_thread_takes_is_set_again_with_the_next_answer_of_the_store()
            throws Exception {
        cluster.policy =
                cluster.policy.toBuilder().probeTrigger(ProbeTrigger.BACKGROUND).build();
        Instance server = cluster.instance();
        cluster.time.reject(true);
        server.breakers.startBackgroundProbes();
        cluster.time.reject(false);
        assertThat(cluster.time.timersSet()).isZero();
        server.visit();
        assertThat(cluster.time.timersSet()).isEqualTo(1);
        cluster.time.reject(true);
        cluster.time.passSeconds(3); // it rings, and cannot be set again
        cluster.time.reject(false);
        assertThat(cluster.time.timersSet()).isZero();
        cluster.time.passSeconds(3);
        server.visit();
        assertThat(cluster.time.timersSet()).isEqualTo(1);
        server.breakers.close();
        assertThat(cluster.time.timersSet()).isZero();
    }

    @Test
    void an_application_that_stops_gives_its_lease_back_and_another_may_probe_at_once() throws Exception { // A14
        cluster.open(one);
        cluster.provider.up();
        cluster.provider.whileAsked = one.breakers::close;
        cluster.passInterval();
        one.visit();
        cluster.provider.whileAsked = () -> {};
        assertThat(one.breaker.status().recovery().leaseLeft()).isZero();
        int before = cluster.provider.probes;
        other.visit();
        assertThat(cluster.provider.probes).isEqualTo(before + 1);
        assertThat(cluster.time.timersSet()).isZero();
    }

    @Test
    void no_timer_is_left_when_a_probe_has_ended() throws Exception {
        cluster.open(one);
        cluster.passInterval();
        one.visit();
        assertThat(cluster.provider.probes).isEqualTo(1);
        assertThat(cluster.time.timersSet()).isZero();
    }

    @Test
    void a_hand_over_that_was_lost_is_made_again() throws Exception {
        cluster.open(one);
        cluster.passInterval();
        one.call(); // a request whose end nobody hears of
        assertThat(cluster.time.waitingForRequestEnd()).isPositive();
        cluster.time.passSeconds(10);
        int before = cluster.time.waitingForRequestEnd();
        one.call();
        assertThat(cluster.time.waitingForRequestEnd()).isGreaterThan(before);
    }

    @Test
    void a_probe_that_no_thread_takes_is_tried_again_by_the_next_request() throws Exception {
        cluster.open(one);
        cluster.passInterval();
        cluster.time.reject(true);
        assertThat(one.call()).isEqualTo("fallback");
        cluster.time.reject(false);
        one.visit();
        one.visit();
        assertThat(cluster.provider.probes).isEqualTo(1);
    }

    @Test
    void a_probe_slower_than_slow_call_does_not_pass() throws Exception {
        cluster.policy =
                cluster.policy.toBuilder().slowCall(Duration.ofSeconds(2)).build();
        Instance instance = cluster.instance();
        cluster.open(instance);
        cluster.provider.up();
        cluster.provider.whileAsked = () -> cluster.time.passSeconds(3);
        cluster.passInterval();
        instance.visit();
        assertThat(cluster.told).anyMatch(line -> line.startsWith("FAIL SLOW"));
    }

    @Test
    void a_trial_sends_one_real_call_to_the_primary_and_one_pass_closes() throws Exception {
        useTrials();
        Instance instance = cluster.instance();
        cluster.open(instance);
        cluster.provider.up();
        cluster.passInterval();
        String answer = instance.call(() -> {
            // While the trial is on its way, everybody else gets the fallback.
            for (int i = 0; i < 20; i++) {
                assertThat(instance.call()).isEqualTo("fallback");
                assertThat(cluster.instance().call()).isEqualTo("fallback");
            }
            return "trial";
        });
        assertThat(answer).isEqualTo("trial");
        assertThat(instance.breaker.status().standing().state()).isEqualTo(CLOSED);
        assertThat(cluster.provider.visitors).isEqualTo(3);
    }

    @Test
    void a_trial_that_fails_uses_the_fallback_and_the_next_is_due_an_interval_later() throws Exception {
        useTrials();
        Instance instance = cluster.instance();
        cluster.open(instance);
        cluster.passInterval();
        assertThat(instance.visit()).isEqualTo("fallback");
        assertThat(cluster.provider.visitors).isEqualTo(4);
        assertThat(instance.visit()).isEqualTo("fallback");
        assertThat(cluster.provider.visitors).isEqualTo(4);
        assertThat(instance.breaker.status().recovery().untilNextProbe()).contains(cluster.policy.probeInterval());
        assertThat(instance.breaker.status().standing().consecutiveFailures()).isEqualTo(3);
    }

    @Test
    void a_trial_that_says_nothing_about_the_provider_gives_its_lease_back_at_once() throws Exception { // A8, A9
        useTrials();
        Instance instance = cluster.instance();
        cluster.open(instance);
        cluster.passInterval();
        assertThat(instance.call(() -> {
                    throw new RejectedExecutionException("bulkhead");
                }))
                .isEqualTo("fallback");
        assertThat(instance.breaker.status().recovery().leaseLeft()).isZero();
        assertThat(instance.breaker.status().standing().state()).isEqualTo(OPEN);
    }

    @Test
    void a_trial_that_dies_of_an_error_gives_its_lease_back() throws Exception {
        useTrials();
        Instance instance = cluster.instance();
        cluster.open(instance);
        cluster.passInterval();
        assertThatThrownBy(() -> instance.call(() -> {
                    throw new StackOverflowError();
                }))
                .isInstanceOf(StackOverflowError.class);
        assertThat(instance.breaker.status().recovery().leaseLeft()).isZero();
    }

    @Test
    void a_trial_that_hangs_is_failed_at_the_timeout_and_its_late_success_does_not_close() throws Exception { // A5
        useTrials();
        Instance instance = cluster.instance();
        cluster.open(instance);
        cluster.provider.up();
        cluster.passInterval();
        int[] meanwhile = new int[1];
        String answer = instance.call(() -> {
            cluster.time.passSeconds(30);
            // The next trial is due, but this instance has a call on its way that hangs there.
            for (int i = 0; i < 10; i++) {
                meanwhile[0] += instance.call().equals("primary") ? 1 : 0;
            }
            return "late";
        });
        assertThat(answer).isEqualTo("late");
        assertThat(meanwhile[0]).isZero();
        assertThat(instance.breaker.status().standing().state()).isEqualTo(OPEN);
    }

    @Test
    void a_trial_that_is_throttled_starts_a_cooldown_and_is_no_verdict() throws Exception { // A10
        useTrials();
        Instance instance = cluster.instance();
        cluster.open(instance);
        cluster.passInterval();
        FailureRules throttled = FailureRules.forAll(
                Cluster.RAWG,
                List.of(failure -> Optional.of(Classification.throttled(new RetryAfter.In(Duration.ofSeconds(90))))),
                new BreakerListener() {});
        instance.<String>call(
                () -> {
                    throw new IOException("429");
                },
                failure -> "fallback",
                throttled);
        assertThat(instance.breaker.status().recovery().leaseLeft()).isZero();
        assertThat(instance.breaker.status().holds().cooldownLeft()).isEqualTo(Duration.ofSeconds(90));
        int before = cluster.provider.visitors;
        cluster.time.passSeconds(89);
        instance.visit();
        assertThat(cluster.provider.visitors).isEqualTo(before);
        cluster.time.passSeconds(1);
        instance.visit();
        assertThat(cluster.provider.visitors).isEqualTo(before + 1);
    }

    @Test
    void a_probe_that_calls_a_guarded_method_of_its_breaker_reaches_the_provider_and_not_the_fallback()
            throws Exception {
        cluster.open(one);
        cluster.provider.up();
        boolean[] asked = new boolean[1];
        cluster.provider.whileAsked = () -> one.call(() -> {
            asked[0] = true;
            throw new IOException("HTTP 503");
        });
        cluster.passInterval();
        one.visit();
        assertThat(asked[0]).isTrue();
        assertThat(cluster.told).anyMatch(line -> line.startsWith("FAIL OUTAGE"));
    }

    @Test
    void a_probe_that_calls_an_asynchronous_guarded_method_of_its_breaker_reaches_the_provider_as_well()
            throws Exception {
        cluster.open(one);
        cluster.provider.up();
        cluster.provider.whileAsked = () -> one.callStage(
                        () -> CompletableFuture.failedFuture(new IOException("HTTP 503")),
                        failure -> CompletableFuture.completedFuture("fallback"))
                .toCompletableFuture()
                .get();
        cluster.passInterval();
        one.visit();
        assertThat(cluster.told).anyMatch(line -> line.startsWith("FAIL OUTAGE"));
    }

    @Test
    void a_trial_whose_failure_cannot_be_judged_gives_its_lease_back_and_the_next_trial_comes() throws Exception {
        useTrials();
        Instance instance = cluster.instance();
        cluster.open(instance);
        cluster.passInterval();
        IllegalStateException unreadable = new IllegalStateException() {
            private static final long serialVersionUID = 1L;

            @Override
            public synchronized Throwable getCause() {
                throw new UnsupportedOperationException("no cause for you");
            }
        };
        assertThatThrownBy(() -> instance.call(() -> {
                    throw unreadable;
                }))
                .isInstanceOf(UnsupportedOperationException.class);
        assertThat(instance.breaker.status().recovery().leaseLeft()).isZero();
        cluster.provider.up();
        cluster.passInterval();
        assertThat(instance.call()).isEqualTo("primary");
    }

    @Test
    void the_watchdog_of_a_lease_does_not_interrupt_itself() throws Exception {
        useTrials();
        Instance instance = cluster.instance();
        cluster.open(instance);
        cluster.passInterval();
        boolean[] interrupted = new boolean[1];
        instance.call(() -> {
            cluster.time.pass(cluster.policy.probeTimeout());
            interrupted[0] = Thread.interrupted();
            return "late";
        });
        assertThat(cluster.told).anyMatch(line -> line.startsWith("FAIL no answer"));
        assertThat(interrupted[0]).isFalse();
    }

    @Test
    void a_trial_whose_stage_never_completes_does_not_keep_the_breaker_open_for_ever() throws Exception { // A6
        useTrials();
        Instance instance = cluster.instance();
        cluster.open(instance);
        cluster.passInterval();
        CompletableFuture<String> lost = new CompletableFuture<>();
        instance.callStage(() -> lost, failure -> CompletableFuture.completedFuture("fallback"));
        cluster.time.passSeconds(60);
        cluster.provider.up();
        assertThat(instance.visit()).isEqualTo("fallback"); // one call on its way there is enough
        cluster.time.pass(Duration.ofDays(6));
        assertThat(instance.visit()).isEqualTo("primary");
        assertThat(instance.breaker.status().standing().state()).isEqualTo(CLOSED);
        lost.complete("late");
        assertThat(instance.breaker.status().standing().state()).isEqualTo(CLOSED);
    }

    @Test
    void a_probe_that_no_interrupt_ends_does_not_keep_the_breaker_open_for_ever() throws Exception { // A6
        cluster.open(one);
        cluster.provider.up();
        cluster.provider.whileAsked = () -> {
            cluster.provider.whileAsked = () -> {};
            Thread visitors = new Thread(() -> {
                cluster.time.pass(Duration.ofDays(6));
                for (int i = 0; i < 4; i++) {
                    cluster.passInterval();
                    visitUnchecked();
                }
            });
            visitors.start();
            while (visitors.isAlive()) {
                try {
                    visitors.join();
                } catch (InterruptedException e) {
                    Thread.interrupted(); // this probe does not care
                }
            }
        };
        cluster.passInterval();
        one.visit();
        assertThat(cluster.provider.probes).isEqualTo(4);
        assertThat(state()).isEqualTo(CLOSED);
    }

    private void visitUnchecked() {
        try {
            one.visit();
        } catch (Exception e) {
            throw new IllegalStateException(e);
        }
    }

    private void useTrials() {
        cluster.policy = new PolicyBuilder().recovery(Recovery.TRIAL).build();
    }
}
