package io.distributedfallback.core;

import io.distributedfallback.Classification;
import io.distributedfallback.FailureKind;
import io.distributedfallback.Recovery;
import io.distributedfallback.RetryAfter;
import io.distributedfallback.Route;
import io.distributedfallback.core.Cluster.Instance;
import java.io.IOException;
import java.net.http.HttpTimeoutException;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CancellationException;
import java.util.concurrent.RejectedExecutionException;
import org.junit.jupiter.api.Test;

import static io.distributedfallback.BreakerState.CLOSED;
import static io.distributedfallback.BreakerState.OPEN;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

/** One call, and what it does to the breaker: routing, counting, fallback. */
class CircuitBreakerTest {

    private final Cluster cluster = new Cluster();
    private final Instance one = cluster.instance();
    private final Instance other = cluster.instance();

    @Test
    void a_healthy_call_gets_the_primarys_answer_and_writes_nothing() throws Exception {
        for (int i = 0; i < 1000; i++) {
            assertThat(one.visit()).isEqualTo("primary");
        }
        assertThat(cluster.store.writes()).isZero();
        assertThat(cluster.store.reads()).isEqualTo(1);
    }

    @Test
    void opens_after_three_failures_counted_over_all_instances() throws Exception {
        cluster.provider.down();
        one.visit();
        other.visit();
        assertThat(one.breaker.status().standing().state()).isEqualTo(CLOSED);
        one.visit();
        assertThat(one.breaker.status().standing().state()).isEqualTo(OPEN);
        assertThat(cluster.transitions).hasSize(1);
    }

    @Test
    void the_caller_gets_the_fallback_when_the_primary_fails_and_the_failure_is_counted_first() throws Exception {
        cluster.provider.down();
        String answer = one.breaker.call(cluster.provider::visit, () -> "failures so far: " + one.failures());
        assertThat(answer).isEqualTo("failures so far: 1");
    }

    @Test
    void while_open_no_visitor_reaches_the_primary() throws Exception {
        cluster.open(one);
        int before = cluster.provider.visitors;
        for (int i = 0; i < 100; i++) {
            assertThat(one.call()).isEqualTo("fallback");
        }
        assertThat(cluster.provider.visitors).isEqualTo(before);
    }

    @Test
    void another_instance_follows_when_its_copy_is_no_longer_fresh() throws Exception {
        other.visit();
        cluster.open(one);
        cluster.time.passSeconds(3);
        other.visit(); // answers from the old copy, and has it refreshed after the request
        int before = cluster.provider.visitors;
        assertThat(other.visit()).isEqualTo("fallback");
        assertThat(cluster.provider.visitors).isEqualTo(before);
    }

    @Test
    void a_success_resets_the_count_only_if_there_is_one() throws Exception {
        cluster.provider.down();
        one.visit();
        cluster.provider.up();
        one.visit();
        assertThat(one.failures()).isZero();
        int writes = cluster.store.writes();
        one.visit();
        assertThat(cluster.store.writes()).isEqualTo(writes);
    }

    @Test
    void an_error_ten_thousand_successes_and_an_error_make_a_streak_of_one() throws Exception {
        cluster.provider.down();
        one.visit();
        cluster.provider.up();
        for (int i = 0; i < 10_000; i++) {
            one.visit();
        }
        cluster.provider.down();
        one.visit();
        assertThat(one.failures()).isEqualTo(1);
    }

    @Test
    void a_late_success_neither_closes_nor_resets() throws Exception {
        cluster.provider.down();
        one.visit(); // so that this instance has something to reset
        String answer = one.call(() -> {
            other.visit();
            other.visit();
            assertThat(cluster.transitions).hasSize(1);
            return "late";
        });
        assertThat(answer).isEqualTo("late");
        Instance third = cluster.instance();
        third.visit();
        assertThat(third.breaker.status().standing().state()).isEqualTo(OPEN);
        assertThat(third.failures()).isEqualTo(3);
        assertThat(cluster.transitions).hasSize(1);
    }

    @Test
    void a_late_failure_moves_neither_the_opening_nor_the_next_probe() throws Exception {
        one.call(() -> {
            cluster.open(other);
            cluster.time.passSeconds(5);
            throw new IOException("late");
        });
        assertThat(one.breaker.status().recovery().untilNextProbe()).contains(Duration.ofSeconds(10));
        assertThat(cluster.transitions).hasSize(1);
    }

    @Test
    void both_failing_gives_the_primarys_exception_with_the_fallbacks_suppressed() {
        IOException first = new IOException("primary");
        IllegalStateException second = new IllegalStateException("fallback");
        assertThatThrownBy(() -> one.breaker.call(
                        () -> {
                            throw first;
                        },
                        () -> {
                            throw second;
                        }))
                .isSameAs(first)
                .hasSuppressedException(second);
    }

    @Test
    void while_open_the_fallbacks_own_exception_is_the_callers() throws Exception {
        cluster.open(one);
        IOException own = new IOException("fallback");
        assertThatThrownBy(() -> one.breaker.call(cluster.provider::visit, () -> {
                    throw own;
                }))
                .isSameAs(own)
                .hasNoSuppressedExceptions();
    }

    @Test
    void with_no_fallback_a_failure_is_counted_and_rethrown_as_it_is() {
        IOException failure = new IOException("HTTP 503");
        assertThatThrownBy(() -> one.breaker.call(() -> {
                    throw failure;
                }))
                .isSameAs(failure)
                .hasNoSuppressedExceptions();
        assertThat(one.failures()).isEqualTo(1);
    }

    @Test
    void with_no_fallback_an_open_breaker_rejects_and_says_when_to_come_back() throws Exception {
        cluster.open(one);
        cluster.time.passSeconds(5);
        assertThatThrownBy(() -> one.breaker.call(cluster.provider::visit))
                .isInstanceOfSatisfying(Cluster.Rejection.class, rejection -> {
                    assertThat(rejection.retryAfter).isEqualTo(Duration.ofSeconds(10));
                    assertThat(rejection)
                            .hasMessage("breaker rawg is open; last failure: OUTAGE IOException: HTTP 503");
                });
    }

    @Test
    void the_failure_of_a_rejected_call_is_built_only_if_it_is_asked_for() throws Exception {
        cluster.open(one);
        FailureRules rules = FailureRules.forAll(Cluster.RAWG, List.of(), new BreakerListener() {});
        Object asked =
                one.call(cluster.provider::visit, failure -> failure.get().getClass(), rules);
        assertThat(asked).isEqualTo(Cluster.Rejection.class);
    }

    @Test
    void a_callers_error_is_rethrown_and_neither_breaks_the_series_nor_counts() throws Exception {
        cluster.provider.down();
        one.visit();
        FailureRules skipping = new FailureRules(
                Cluster.RAWG,
                List.of(Throwable.class),
                List.of(IllegalArgumentException.class),
                List.of(),
                new BreakerListener() {});
        assertThatThrownBy(() -> one.call(
                        () -> {
                            throw new IllegalArgumentException("400");
                        },
                        Cluster.Instead.none(),
                        skipping))
                .isInstanceOf(IllegalArgumentException.class);
        assertThat(one.failures()).isEqualTo(1);
    }

    @Test
    void our_own_trouble_uses_the_fallback_and_does_not_count() throws Exception {
        assertThat(one.call(() -> {
                    throw new RejectedExecutionException("full");
                }))
                .isEqualTo("fallback");
        assertThat(cluster.store.writes()).isZero();
    }

    @Test
    void a_cancelled_call_is_rethrown_and_does_not_count() {
        assertThatThrownBy(() -> one.call(() -> {
                    throw new CancellationException();
                }))
                .isInstanceOf(CancellationException.class);
        assertThatThrownBy(() -> one.call(() -> {
                    throw new InterruptedException();
                }))
                .isInstanceOf(InterruptedException.class);
        assertThat(cluster.store.writes()).isZero();
    }

    @Test
    void an_error_of_the_virtual_machine_is_rethrown_without_fallback_and_not_counted() {
        for (Error error : List.of(new OutOfMemoryError(), new StackOverflowError(), new NoClassDefFoundError())) {
            assertThatThrownBy(() -> one.call(() -> {
                        throw error;
                    }))
                    .isSameAs(error);
        }
        assertThat(cluster.store.writes()).isZero();
    }

    @Test
    void a_pause_that_the_provider_asks_for_is_obeyed_by_every_instance_and_never_shortened() throws Exception {
        FailureRules throttled = rules(Classification.throttled(new RetryAfter.In(Duration.ofMinutes(2))));
        one.call(Cluster::fail, failure -> "fallback", throttled);
        FailureRules shorter = rules(Classification.throttled(new RetryAfter.In(Duration.ofSeconds(5))));
        other.call(Cluster::fail, failure -> "fallback", shorter);
        assertThat(one.breaker.status().route()).isEqualTo(Route.FALLBACK);
        assertThat(one.breaker.status().standing().state()).isEqualTo(CLOSED);
        cluster.time.passSeconds(119);
        assertThat(other.visit()).isEqualTo("fallback");
        cluster.time.passSeconds(1);
        assertThat(other.visit()).isEqualTo("primary");
    }

    @Test
    void a_refused_key_never_opens_is_told_and_uses_the_fallback() throws Exception {
        FailureRules refused = rules(Classification.of(FailureKind.MISCONFIGURED));
        for (int i = 0; i < 100; i++) {
            assertThat(one.<String>call(Cluster::fail, failure -> "fallback", refused))
                    .isEqualTo("fallback");
        }
        assertThat(cluster.store.writes()).isZero();
        assertThat(cluster.told).hasSize(100).containsOnly("misconfigured");
    }

    @Test
    void a_success_slower_than_slow_call_counts_and_its_value_is_returned() throws Exception {
        cluster.policy =
                cluster.policy.toBuilder().slowCall(Duration.ofSeconds(2)).build();
        Instance instance = cluster.instance();
        cluster.provider.whileAsked = () -> cluster.time.passSeconds(3);
        assertThat(instance.visit()).isEqualTo("primary");
        assertThat(instance.failures()).isEqualTo(1);
        instance.visit();
        instance.visit();
        assertThat(instance.breaker.status().standing().state()).isEqualTo(OPEN);
    }

    @Test
    void a_checked_exception_that_a_fallback_throws_surfaces_as_what_it_is() throws Exception {
        cluster.open(one);
        assertThatThrownBy(() -> one.breaker.call(cluster.provider::visit, () -> {
                    throw new HttpTimeoutException("undeclared");
                }))
                .isExactlyInstanceOf(HttpTimeoutException.class);
    }

    @Test
    void a_new_instance_starts_with_what_the_store_knows() throws Exception {
        cluster.open(one);
        cluster.time.passSeconds(5);
        Instance late = cluster.instance();
        assertThat(late.call()).isEqualTo("fallback");
        assertThat(late.breaker.status().recovery().untilNextProbe()).contains(Duration.ofSeconds(10));
    }

    @Test
    void a_breaker_that_is_asked_for_twice_is_one() {
        assertThat(one.breakers.get("a")).isSameAs(one.breakers.get("a"));
        assertThat(one.breakers.get("a")).isNotSameAs(one.breakers.get("A"));
    }

    @Test
    void without_a_shared_store_an_instance_breaks_on_its_own() throws Exception {
        ManualTime time = cluster.time;
        CircuitBreakers alone = new CircuitBreakers(
                Optional.empty(),
                new MemoryBreakerStore(time, java.time.Instant.EPOCH, "alone"),
                new Surroundings(time, time, new BreakerListener() {}, Timings.DEFAULT),
                new Application(
                        name -> new PolicyBuilder().recovery(Recovery.PROBE).build(),
                        Map.of("rawg", () -> true),
                        List.of(),
                        Cluster.Rejection::new));
        for (int i = 0; i < 3; i++) {
            alone.get("rawg").call(Cluster::fail, () -> "fallback");
        }
        assertThat(alone.get("rawg").isOpen()).isTrue();
        for (int i = 0; i < 3; i++) {
            time.passSeconds(15);
            alone.get("rawg").call(() -> "primary", () -> "fallback");
            time.endRequest();
        }
        assertThat(alone.get("rawg").isOpen()).isFalse();
    }

    @Test
    void a_call_cancelled_when_it_had_already_run_past_slow_call_counts_as_slow() throws Exception { // D2
        cluster.policy =
                cluster.policy.toBuilder().slowCall(Duration.ofSeconds(2)).build();
        Instance instance = cluster.instance();
        for (int seconds = 1; seconds <= 3; seconds++) {
            int waited = seconds;
            assertThatThrownBy(() -> instance.call(() -> {
                        cluster.time.passSeconds(waited);
                        throw new CancellationException();
                    }))
                    .isInstanceOf(CancellationException.class);
        }
        assertThat(instance.failures()).isEqualTo(1);
    }

    private static FailureRules rules(Classification always) {
        return FailureRules.forAll(Cluster.RAWG, List.of(failure -> Optional.of(always)), new BreakerListener() {});
    }
}
