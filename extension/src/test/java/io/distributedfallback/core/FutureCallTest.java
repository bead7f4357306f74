package io.distributedfallback.core;

import io.distributedfallback.FailureKind;
import io.distributedfallback.core.Cluster.Instance;
import jakarta.ejb.AsyncResult;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Future;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.junit.jupiter.api.Test;

import static java.util.concurrent.CompletableFuture.completedFuture;
import static java.util.concurrent.CompletableFuture.failedFuture;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

/** The outcome of a method that returns a plain future is that of the future, when somebody asks for it. */
class FutureCallTest {

    private final Cluster cluster = new Cluster();
    private final Instance one = cluster.instance();

    /** The primary's work: done when it is run. */
    private FutureTask<String> primary = new FutureTask<>(() -> "primary");

    private void primaryFails() {
        primary = new FutureTask<>(() -> {
            throw new IOException("HTTP 503");
        });
    }

    private Future<String> call() {
        return call(() -> primary, failure -> completedFuture("fallback"));
    }

    private Future<String> call(Callable<Future<String>> code, Cluster.Instead<Future<String>> fallback) {
        return one.breaker.callFuture(code, Callable::call, (called, failure) -> fallback.answer(failure), rules());
    }

    private static FailureRules rules() {
        return FailureRules.forAll(Cluster.RAWG, List.of(), new BreakerListener() {});
    }

    @Test
    void nothing_is_decided_before_somebody_asks() throws Exception {
        primaryFails();
        Future<String> outcome = call();
        assertThat(outcome.isDone()).isFalse();
        primary.run();
        assertThat(one.failures()).isZero();
        assertThat(outcome.get()).isEqualTo("fallback");
        assertThat(one.failures()).isEqualTo(1);
    }

    @Test
    void whoever_asks_whether_it_is_done_has_it_decided_as_well() {
        primaryFails();
        Future<String> outcome = call();
        primary.run();
        assertThat(outcome.isDone()).isTrue();
        assertThat(one.failures()).isEqualTo(1);
    }

    @Test
    void one_that_is_done_when_the_method_returns_is_decided_at_once() {
        primaryFails();
        primary.run();
        assertThat(call()).isNotNull();
        assertThat(one.failures()).isEqualTo(1);
    }

    @Test
    void however_often_it_is_asked_it_counts_once_and_gives_one_answer() throws Exception {
        primaryFails();
        primary.run();
        Future<String> outcome = call();
        for (int i = 0; i < 5; i++) {
            assertThat(outcome.get(1, TimeUnit.SECONDS)).isEqualTo("fallback");
        }
        assertThat(one.failures()).isEqualTo(1);
    }

    @Test
    void a_success_resets_the_count() throws Exception {
        cluster.provider.down();
        one.visit();
        primary.run();
        assertThat(call().get()).isEqualTo("primary");
        assertThat(one.failures()).isZero();
    }

    @Test
    void a_future_that_is_a_stage_as_well_is_decided_when_it_completes() {
        CompletableFuture<String> stage = new CompletableFuture<>();
        Future<String> outcome = call(() -> stage, failure -> completedFuture("fallback"));
        stage.completeExceptionally(new IOException("HTTP 503"));
        assertThat(one.failures()).isEqualTo(1);
        assertThat(outcome).isDone();
    }

    @Test
    void a_stage_that_succeeds_while_healthy_waits_for_no_thread() throws Exception {
        CompletableFuture<String> stage = new CompletableFuture<>();
        Future<String> outcome = call(() -> stage, failure -> completedFuture("fallback"));
        cluster.time.hold();
        stage.complete("primary");
        assertThat(cluster.time.waitingForThread()).isZero();
        assertThat(outcome.get()).isEqualTo("primary");
    }

    @Test
    void a_fallback_that_is_interrupted_keeps_the_flag_of_whoever_asks() {
        primaryFails();
        Future<String> outcome = call(() -> primary, failure -> {
            throw new InterruptedException();
        });
        primary.run();
        assertThatThrownBy(outcome::get).isInstanceOf(ExecutionException.class).hasCauseInstanceOf(IOException.class);
        assertThat(Thread.interrupted()).isTrue();
    }

    @Test
    void an_error_of_the_fallback_is_the_outcome_as_it_is_without_a_future() {
        primaryFails();
        StackOverflowError error = new StackOverflowError();
        Future<String> outcome = call(() -> primary, failure -> {
            throw error;
        });
        primary.run();
        assertThatThrownBy(outcome::get).isInstanceOf(ExecutionException.class).hasCause(error);
    }

    @Test
    void a_caller_who_is_tired_of_waiting_is_no_outcome() {
        Future<String> outcome = call();
        assertThatThrownBy(() -> outcome.get(1, TimeUnit.MILLISECONDS)).isInstanceOf(TimeoutException.class);
        assertThat(outcome.isDone()).isFalse();
        assertThat(cluster.store.writes()).isZero();
    }

    @Test
    void a_caller_who_is_interrupted_is_no_outcome() {
        Future<String> outcome = call();
        Thread.currentThread().interrupt();
        assertThatThrownBy(outcome::get).isInstanceOf(InterruptedException.class);
        assertThat(cluster.store.writes()).isZero();
    }

    @Test
    void cancelling_cancels_the_primary_and_is_neutral() {
        Future<String> outcome = call();
        assertThat(outcome.cancel(true)).isTrue();
        assertThat(primary.isCancelled()).isTrue();
        assertThat(outcome.isCancelled()).isTrue();
        assertThatThrownBy(outcome::get).isInstanceOf(CancellationException.class);
        assertThat(cluster.store.writes()).isZero();
    }

    @Test
    void a_failure_without_fallback_comes_out_as_the_future_has_it() {
        primaryFails();
        primary.run();
        Future<String> outcome = call(() -> primary, Cluster.Instead.none());
        assertThatThrownBy(outcome::get).isInstanceOf(ExecutionException.class).hasCauseInstanceOf(IOException.class);
        assertThat(one.failures()).isEqualTo(1);
    }

    @Test
    void both_failing_gives_the_primarys_exception_with_the_fallbacks_suppressed_once() {
        primaryFails();
        primary.run();
        IllegalStateException second = new IllegalStateException("fallback");
        Future<String> outcome = call(() -> primary, failure -> failedFuture(second));
        for (int i = 0; i < 2; i++) {
            assertThatThrownBy(outcome::get)
                    .cause()
                    .isInstanceOf(IOException.class)
                    .satisfies(first -> assertThat(first.getSuppressed()).containsExactly(second));
        }
    }

    @Test
    void a_method_that_throws_before_there_is_a_future_fails_like_one() throws Exception {
        Future<String> outcome = call(
                () -> {
                    throw new IOException("HTTP 503");
                },
                failure -> completedFuture(failure.get().getMessage()));
        assertThat(one.failures()).isEqualTo(1);
        assertThat(outcome.get()).isEqualTo("HTTP 503");
    }

    @Test
    void while_open_the_fallbacks_future_is_the_outcome() throws Exception {
        cluster.open(one);
        assertThat(call().get()).isEqualTo("fallback");
    }

    @Test
    void while_open_without_fallback_the_future_fails_with_the_rejection() throws Exception {
        cluster.open(one);
        assertThatThrownBy(() -> call(() -> primary, Cluster.Instead.none()).get())
                .hasCauseInstanceOf(Cluster.Rejection.class);
    }

    @Test
    void a_future_that_is_null_is_an_answer() {
        assertThat(call(() -> null, failure -> completedFuture("fallback"))).isNull();
    }

    @Test
    void the_value_of_an_asynchronous_enterprise_bean_is_an_answer() throws Exception {
        assertThat(call(() -> new AsyncResult<>("primary"), Cluster.Instead.none())
                        .get())
                .isEqualTo("primary");
    }

    @Test
    void one_that_nobody_asks_counts_as_slow_when_it_is_overdue() {
        cluster.policy =
                cluster.policy.toBuilder().slowCall(Duration.ofSeconds(2)).build();
        Instance instance = cluster.instance();
        Future<String> outcome = instance.breaker.callFuture(
                primary, done -> done, (done, failure) -> completedFuture("fallback"), rules());
        assertThat(outcome).isNotNull();
        cluster.time.passSeconds(3);
        assertThat(instance.failures()).isEqualTo(1);
    }

    @Test
    void one_that_is_done_in_time_is_not_slow_because_somebody_asks_late() throws Exception {
        cluster.policy =
                cluster.policy.toBuilder().slowCall(Duration.ofSeconds(2)).build();
        Instance instance = cluster.instance();
        Future<String> outcome = instance.breaker.callFuture(
                primary, done -> done, (done, failure) -> completedFuture("fallback"), rules());
        cluster.time.passSeconds(1);
        primary.run();
        cluster.time.passSeconds(9);
        assertThat(outcome.get()).isEqualTo("primary");
        assertThat(instance.failures()).isZero();
        assertThat(cluster.store.writes()).isZero();
        assertThat(cluster.time.timersSet()).isZero();
    }

    @Test
    void one_that_fails_in_time_counts_as_what_it_is_however_late_somebody_asks() throws Exception {
        cluster.policy =
                cluster.policy.toBuilder().slowCall(Duration.ofSeconds(2)).build();
        Instance instance = cluster.instance();
        primaryFails();
        Future<String> outcome = instance.breaker.callFuture(
                primary, done -> done, (done, failure) -> completedFuture("fallback"), rules());
        primary.run();
        cluster.time.passSeconds(9);
        assertThat(outcome.get()).isEqualTo("fallback");
        assertThat(instance.failures()).isEqualTo(1);
        assertThat(instance.breaker.status().lastFailure().orElseThrow().kind()).isEqualTo(FailureKind.OUTAGE);
    }

    @Test
    void without_a_breaker_the_fallback_answers_and_nothing_is_counted() throws Exception {
        primaryFails();
        primary.run();
        Future<String> outcome = one.breakers
                .withoutBreaker(Cluster.RAWG)
                .callFuture(primary, done -> done, (done, failure) -> completedFuture("fallback"), rules());
        assertThat(outcome.get()).isEqualTo("fallback");
        assertThat(cluster.store.writes()).isZero();
    }
}
