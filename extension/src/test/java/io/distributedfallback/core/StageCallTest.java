package io.distributedfallback.core;

import io.distributedfallback.core.Cluster.Instance;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

/** The outcome of a method that returns a stage is the outcome of the stage. */
class StageCallTest {

    private final Cluster cluster = new Cluster();
    private final Instance one = cluster.instance();
    private final CompletableFuture<String> primary = new CompletableFuture<>();

    private CompletableFuture<String> call() throws Exception {
        return one.callStage(() -> primary, failure -> CompletableFuture.completedFuture("fallback"))
                .toCompletableFuture();
    }

    @Test
    void nothing_is_decided_before_the_stage_has_completed() throws Exception {
        CompletableFuture<String> outcome = call();
        assertThat(outcome).isNotDone();
        primary.complete("primary");
        assertThat(outcome).isCompletedWithValue("primary");
        assertThat(cluster.store.writes()).isZero();
    }

    @Test
    void a_stage_that_fails_is_counted_and_answered_by_the_fallback() throws Exception {
        CompletableFuture<String> outcome = call();
        primary.completeExceptionally(new CompletionException(new IOException("HTTP 503")));
        assertThat(outcome).isCompletedWithValue("fallback");
        assertThat(one.failures()).isEqualTo(1);
    }

    @Test
    void a_stage_that_succeeds_resets_the_count() throws Exception {
        cluster.provider.down();
        one.visit();
        CompletableFuture<String> outcome = call();
        primary.complete("primary");
        assertThat(outcome).isCompletedWithValue("primary");
        assertThat(one.failures()).isZero();
    }

    @Test
    void a_method_that_throws_before_there_is_a_stage_fails_like_one() throws Exception {
        CompletionStage<String> outcome = one.callStage(
                () -> {
                    throw new IOException("HTTP 503");
                },
                failure -> CompletableFuture.completedFuture("fallback"));
        assertThat(outcome.toCompletableFuture()).isCompletedWithValue("fallback");
        assertThat(one.failures()).isEqualTo(1);
    }

    @Test
    void both_failing_gives_the_primarys_exception_with_the_fallbacks_suppressed() throws Exception {
        IOException first = new IOException("primary");
        IllegalStateException second = new IllegalStateException("fallback");
        CompletionStage<String> outcome = one.callStage(
                () -> CompletableFuture.failedFuture(first), failure -> CompletableFuture.failedFuture(second));
        assertThat(outcome.toCompletableFuture())
                .failsWithin(java.time.Duration.ZERO)
                .withThrowableThat()
                .havingCause()
                .isSameAs(first);
        assertThat(first.getSuppressed()).containsExactly(second);
    }

    @Test
    void an_error_of_the_fallback_is_the_outcome_as_it_is_without_a_stage() throws Exception {
        StackOverflowError error = new StackOverflowError();
        CompletionStage<String> thrown =
                one.callStage(() -> CompletableFuture.failedFuture(new IOException("primary")), failure -> {
                    throw error;
                });
        CompletionStage<String> failed = one.callStage(
                () -> CompletableFuture.failedFuture(new IOException("primary")),
                failure -> CompletableFuture.failedFuture(error));
        for (CompletionStage<String> outcome : List.of(thrown, failed)) {
            assertThat(outcome.toCompletableFuture())
                    .failsWithin(java.time.Duration.ZERO)
                    .withThrowableThat()
                    .havingCause()
                    .isSameAs(error);
        }
    }

    @Test
    void code_that_is_interrupted_before_there_is_a_stage_keeps_the_callers_flag() throws Exception {
        one.callStage(
                () -> {
                    throw new InterruptedException();
                },
                failure -> CompletableFuture.completedFuture("fallback"));
        assertThat(Thread.interrupted()).isTrue();
        cluster.open(one);
        one.callStage(() -> primary, failure -> {
            throw new InterruptedException();
        });
        assertThat(Thread.interrupted()).isTrue();
    }

    @Test
    void a_cancelled_stage_is_neutral_and_uses_no_fallback() throws Exception {
        CompletableFuture<String> outcome = call();
        primary.cancel(true);
        assertThat(outcome).isCancelled();
        assertThat(cluster.store.writes()).isZero();
    }

    @Test
    void cancelling_the_outcome_cancels_the_primarys_stage() throws Exception {
        call().cancel(true);
        assertThat(primary).isCancelled();
        assertThat(cluster.store.writes()).isZero();
    }

    @Test
    void while_open_the_fallbacks_stage_is_the_outcome() throws Exception {
        cluster.open(one);
        assertThat(call()).isCompletedWithValue("fallback");
    }

    @Test
    void a_null_stage_is_an_answer() throws Exception {
        assertThat(one.callStage(() -> null, failure -> CompletableFuture.completedFuture("fallback")))
                .isNull();
    }

    @Test
    void where_no_thread_is_to_be_had_the_outcome_still_comes() throws Exception {
        CompletableFuture<String> outcome = call();
        cluster.time.reject(true);
        primary.completeExceptionally(new IOException("HTTP 503"));
        assertThat(outcome).isCompletedWithValue("fallback");
    }

    @Test
    void a_failure_that_waits_for_a_thread_when_the_application_stops_is_the_outcome() throws Exception {
        one.visit();
        CompletableFuture<String> outcome = call();
        cluster.time.hold();
        IOException failure = new IOException("HTTP 503");
        primary.completeExceptionally(failure);
        assertThat(outcome).isNotDone();
        one.breakers.close();
        cluster.time.stop();
        assertThat(outcome)
                .failsWithin(java.time.Duration.ZERO)
                .withThrowableThat()
                .havingCause()
                .isSameAs(failure);
    }

    @Test
    void an_answer_that_waits_for_a_write_when_the_application_stops_comes_then() throws Exception {
        one.visit();
        CompletableFuture<String> outcome = call();
        cluster.time.holdAllButTheNext();
        primary.completeExceptionally(new IOException("HTTP 503"));
        assertThat(outcome).isNotDone();
        one.breakers.close();
        cluster.time.stop();
        assertThat(outcome).isCompletedWithValue("fallback");
    }

    @Test
    void an_answer_that_waits_for_a_write_with_no_timer_when_the_application_stops_comes_then() throws Exception {
        cluster.time.rejectTimers();
        an_answer_that_waits_for_a_write_when_the_application_stops_comes_then();
    }

    @Test
    void an_answer_that_has_been_written_and_waits_for_a_thread_when_the_application_stops_comes_then()
            throws Exception {
        one.visit();
        CompletableFuture<String> outcome = call();
        cluster.time.holdAllButTheNext();
        primary.completeExceptionally(new IOException("HTTP 503"));
        cluster.time.releaseTheNext();
        assertThat(outcome).isNotDone();
        assertThat(cluster.store.writes()).isEqualTo(1);
        one.breakers.close();
        cluster.time.stop();
        assertThat(outcome).isCompletedWithValue("fallback");
    }

    @Test
    void an_exception_that_is_thrown_again_and_again_does_not_grow_with_each_fallback_that_fails_too()
            throws Exception {
        IOException shared = new IOException("one for all");
        for (int i = 0; i < 1000; i++) {
            assertThatThrownBy(() -> one.breakers
                            .withoutBreaker(Cluster.RAWG)
                            .call(
                                    shared,
                                    thrown -> {
                                        throw thrown;
                                    },
                                    (thrown, failure) -> {
                                        throw new IllegalStateException("fallback");
                                    },
                                    FailureRules.forAll("rawg", List.of(), new BreakerListener() {})))
                    .isSameAs(shared);
        }
        assertThat(shared.getSuppressed()).hasSizeBetween(1, 100);
    }

    @Test
    void where_the_callers_context_is_gone_the_outcome_still_comes() throws Exception {
        cluster.time.loseContexts();
        CompletableFuture<String> outcome = call();
        primary.completeExceptionally(new IOException("HTTP 503"));
        assertThat(outcome).isCompletedWithValue("fallback");
    }

    @Test
    void without_a_breaker_a_fallback_that_fails_too_is_asked_once_and_suppressed() throws Exception {
        IOException first = new IOException("primary");
        IllegalStateException second = new IllegalStateException("fallback");
        AtomicInteger asked = new AtomicInteger();
        CompletionStage<String> outcome = one.breakers
                .withoutBreaker(Cluster.RAWG)
                .callStage(
                        first,
                        thrown -> {
                            throw thrown;
                        },
                        (thrown, failure) -> {
                            asked.incrementAndGet();
                            return CompletableFuture.failedFuture(second);
                        },
                        FailureRules.forAll("rawg", List.of(), new BreakerListener() {}));
        assertThat(asked).hasValue(1);
        assertThat(outcome.toCompletableFuture())
                .failsWithin(java.time.Duration.ZERO)
                .withThrowableThat()
                .havingCause()
                .isSameAs(first);
        assertThat(first.getSuppressed()).containsExactly(second);
    }

    @Test
    void a_failure_that_no_fallback_answers_reaches_the_caller_as_what_it_is() throws Exception {
        UncheckedIOException failure = new UncheckedIOException(new IOException("HTTP 503"));
        CompletionStage<String> outcome = one.callStage(
                () -> CompletableFuture.<String>failedFuture(failure).thenApply(answer -> answer),
                Cluster.Instead.none());
        assertThat(outcome.toCompletableFuture())
                .failsWithin(java.time.Duration.ZERO)
                .withThrowableThat()
                .havingCause()
                .isSameAs(failure);
        assertThat(failure.getSuppressed()).isEmpty();
    }

    @Test
    void while_open_without_fallback_the_stage_fails_with_the_rejection() throws Exception {
        cluster.open(one);
        assertThat(one.breaker.callStage(() -> primary).toCompletableFuture())
                .failsWithin(java.time.Duration.ZERO)
                .withThrowableThat()
                .withCauseInstanceOf(Cluster.Rejection.class);
    }

    @Test
    void a_fallback_that_throws_while_open_fails_the_stage() throws Exception {
        cluster.open(one);
        IOException own = new IOException("fallback");
        CompletionStage<String> outcome = one.breaker.callStage(() -> primary, () -> {
            throw own;
        });
        assertThat(outcome.toCompletableFuture())
                .failsWithin(java.time.Duration.ZERO)
                .withThrowableThat()
                .havingCause()
                .isSameAs(own);
    }

    @Test
    void cancelling_the_outcome_while_the_fallback_is_on_its_way_cancels_that() throws Exception {
        CompletableFuture<String> second = new CompletableFuture<>();
        CompletableFuture<String> outcome =
                one.callStage(() -> primary, failure -> second).toCompletableFuture();
        primary.completeExceptionally(new IOException("HTTP 503"));
        outcome.cancel(true);
        assertThat(second).isCancelled();
    }

    @Test
    void a_caller_who_has_given_up_needs_no_fallback() throws Exception {
        AtomicInteger asked = new AtomicInteger();
        CompletableFuture<String> outcome = one.callStage(() -> primary.minimalCompletionStage(), failure -> {
                    asked.incrementAndGet();
                    return CompletableFuture.completedFuture("fallback");
                })
                .toCompletableFuture();
        outcome.cancel(true);
        primary.completeExceptionally(new IOException("HTTP 503"));
        assertThat(asked).hasValue(0);
        assertThat(one.failures()).isEqualTo(1);
    }

    @Test
    void an_error_is_the_outcome_as_it_came_and_uses_no_fallback() throws Exception {
        CompletableFuture<String> outcome = call();
        OutOfMemoryError error = new OutOfMemoryError();
        primary.completeExceptionally(error);
        assertThat(outcome)
                .failsWithin(java.time.Duration.ZERO)
                .withThrowableThat()
                .havingCause()
                .isSameAs(error);
        assertThat(cluster.store.writes()).isZero();
    }

    @Test
    void a_call_without_an_annotation_is_answered_by_its_fallback_which_may_ask_why() throws Exception {
        CompletionStage<String> outcome = one.breaker.callStage(
                () -> primary, why -> CompletableFuture.completedFuture("because of " + why.getMessage()));
        primary.completeExceptionally(new CompletionException(new IOException("HTTP 503")));
        assertThat(outcome.toCompletableFuture()).isCompletedWithValue("because of HTTP 503");
        assertThat(one.failures()).isEqualTo(1);
        assertThat(one.breaker.<String>call(Cluster::fail, why -> "because of " + why.getMessage()))
                .isEqualTo("because of HTTP 503");
        assertThat(one.failures()).isEqualTo(2);
    }

    @Test
    void a_call_without_an_annotation_and_without_fallback_ends_as_the_primary_does() throws Exception {
        CompletableFuture<String> outcome = one.breaker.callStage(() -> primary).toCompletableFuture();
        primary.complete("primary");
        assertThat(outcome).isCompletedWithValue("primary");
        CompletionStage<String> other = one.breaker.callStage(
                () -> CompletableFuture.failedFuture(new IOException("HTTP 503")), () -> completed("fallback"));
        assertThat(other.toCompletableFuture()).isCompletedWithValue("fallback");
    }

    private static CompletionStage<String> completed(String answer) {
        return CompletableFuture.completedFuture(answer);
    }
}
