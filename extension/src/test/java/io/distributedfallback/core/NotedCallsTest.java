package io.distributedfallback.core;

import io.distributedfallback.Degraded.Answer;
import io.distributedfallback.Degraded.Rung;
import io.distributedfallback.core.Cluster.Instance;
import io.distributedfallback.core.Cluster.Rejection;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Future;
import java.util.function.Supplier;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

/** What answered instead of a primary is noted for whoever made the call, and for nobody else. */
class NotedCallsTest {

    private final Cluster cluster = new Cluster();
    private final List<Answer> mine = new ArrayList<>();
    private final List<Answer> others = new ArrayList<>();
    private final List<CallOutcome> counted = new ArrayList<>();
    private final FailureRules rules = FailureRules.forAll(Cluster.RAWG, List.of(), new BreakerListener() {});
    private final Instance one;
    private Notes caller = mine::add;

    NotedCallsTest() {
        cluster.instruments = new Instruments() {
            @Override
            public Optional<CallMeter> meter(String breaker) {
                return Optional.of(counted::add);
            }
        }.noting(() -> caller);
        one = cluster.instance();
    }

    private static Answer answer(Rung rung) {
        return new Answer(Cluster.RAWG, rung, Optional.empty());
    }

    /** From now on the thread serves somebody else. */
    private void serveOthers() {
        caller = others::add;
    }

    @Test
    void what_the_primary_answers_is_not_noted() throws Exception {
        one.visit();
        assertThat(mine).isEmpty();
    }

    @Test
    void the_fallback_is_noted_after_a_failure_and_while_the_breaker_is_open() throws Exception {
        cluster.provider.down();
        one.visit();
        cluster.open(one);
        mine.clear();
        one.visit();
        assertThat(mine).containsExactly(answer(Rung.FALLBACK));
    }

    @Test
    void a_call_without_an_answer_is_noted_as_that() {
        cluster.provider.down();
        assertThatThrownBy(() -> one.breaker.call(cluster.provider::visit, Cluster::fail))
                .isInstanceOf(IOException.class);
        assertThatThrownBy(() -> one.breaker.call(cluster.provider::visit)).isInstanceOf(IOException.class);
        assertThat(mine).containsExactly(answer(Rung.UNAVAILABLE), answer(Rung.UNAVAILABLE));
    }

    @Test
    void a_call_that_is_rejected_is_noted_as_without_an_answer() throws Exception {
        cluster.open(one);
        mine.clear();
        assertThatThrownBy(() -> one.breaker.call(cluster.provider::visit)).isInstanceOf(Rejection.class);
        assertThat(mine).containsExactly(answer(Rung.UNAVAILABLE));
    }

    @Test
    void a_mistake_of_the_callers_own_is_not_noted() {
        assertThatThrownBy(() -> one.breaker.call(
                        () -> {
                            throw new java.util.concurrent.CancellationException("not any more");
                        },
                        () -> "fallback"))
                .isInstanceOf(java.util.concurrent.CancellationException.class);
        assertThat(mine).isEmpty();
    }

    /** A rung that has kept one answer. */
    private static final class Kept implements Fallback<Instance, String> {
        private final Optional<String> answer;

        Kept(Optional<String> answer) {
            this.answer = answer;
        }

        @Override
        public String answer(Instance call, Supplier<? extends Throwable> failure) throws Throwable {
            return answer.orElseThrow(failure);
        }

        @Override
        public boolean isNone(Instance call) {
            return answer.isEmpty();
        }

        @Override
        public Origin originOf(Instance call) {
            return new Origin(Rung.LAST_GOOD, Optional.of(Duration.ofSeconds(12)));
        }
    }

    @Test
    void a_rung_says_itself_where_its_answer_comes_from() throws Exception {
        cluster.open(one);
        mine.clear();
        counted.clear();
        assertThat(one.breaker.call(one, instance -> "primary", new Kept(Optional.of("kept")), rules))
                .isEqualTo("kept");
        assertThat(mine).containsExactly(new Answer(Cluster.RAWG, Rung.LAST_GOOD, Optional.of(Duration.ofSeconds(12))));
        assertThat(counted).containsExactly(CallOutcome.FALLBACK_RETURNED);
    }

    @Test
    void a_rung_that_has_nothing_for_a_call_and_nothing_below_it_leaves_it_rejected() throws Exception {
        cluster.open(one);
        mine.clear();
        counted.clear();
        assertThatThrownBy(() -> one.breaker.call(one, instance -> "primary", new Kept(Optional.empty()), rules))
                .isInstanceOf(Rejection.class);
        assertThat(counted).containsExactly(CallOutcome.REJECTED);
        assertThat(mine).containsExactly(answer(Rung.UNAVAILABLE));
    }

    @Test
    void such_a_rung_leaves_a_failure_the_primarys_alone() {
        assertThatThrownBy(() -> one.breaker.call(one, called -> Cluster.fail(), new Kept(Optional.empty()), rules))
                .isInstanceOf(IOException.class);
        assertThat(counted).containsExactly(CallOutcome.PRIMARY_THREW);
        assertThat(mine).containsExactly(answer(Rung.UNAVAILABLE));
    }

    @Test
    void a_stage_is_noted_for_whoever_made_the_call_before_he_is_told() throws Exception {
        CompletableFuture<String> primary = new CompletableFuture<>();
        CompletableFuture<String> fallback = new CompletableFuture<>();
        CompletionStage<String> answer = one.callStage(() -> primary, failure -> fallback);
        List<Answer> whenTold = new ArrayList<>();
        CompletableFuture<Void> told =
                answer.thenAccept(value -> whenTold.addAll(mine)).toCompletableFuture();
        serveOthers();
        primary.completeExceptionally(new IOException("HTTP 503"));
        cluster.time.endRequest();
        assertThat(mine).isEmpty();
        fallback.complete("fallback");
        cluster.time.endRequest();
        assertThat(told).isCompleted();
        assertThat(whenTold).containsExactly(answer(Rung.FALLBACK));
        assertThat(others).isEmpty();
    }

    @Test
    void a_stage_of_a_fallback_that_fails_is_noted_as_without_an_answer_before_the_caller_is_told() throws Exception {
        cluster.open(one);
        mine.clear();
        CompletableFuture<String> fallback = new CompletableFuture<>();
        CompletionStage<String> answer =
                one.callStage(() -> CompletableFuture.completedFuture("primary"), failure -> fallback);
        List<Answer> whenTold = new ArrayList<>();
        CompletableFuture<String> told = answer.exceptionally(thrown -> {
                    whenTold.addAll(mine);
                    return "told";
                })
                .toCompletableFuture();
        serveOthers();
        fallback.completeExceptionally(new IOException("HTTP 500"));
        assertThat(told).isCompletedWithValue("told");
        assertThat(whenTold).containsExactly(answer(Rung.UNAVAILABLE));
    }

    /** One that throws at whoever looks at it. */
    private static final class Strange extends CompletionException {
        private static final long serialVersionUID = 1L;

        @Override
        public synchronized Throwable getCause() {
            throw new IllegalStateException("not for you");
        }
    }

    @Test
    void a_failure_that_throws_at_whoever_looks_at_it_leaves_nobody_waiting() throws Exception {
        CompletableFuture<String> afterFailure = new CompletableFuture<>();
        CompletionStage<String> failed = one.callStage(
                () -> CompletableFuture.failedFuture(new IOException("HTTP 503")), thrown -> afterFailure);
        afterFailure.completeExceptionally(new Strange());
        cluster.time.endRequest();
        assertThat(failed.toCompletableFuture()).as("after a failure").isCompletedExceptionally();
        cluster.open(one);
        CompletableFuture<String> whileOpen = new CompletableFuture<>();
        CompletionStage<String> rejected =
                one.callStage(() -> CompletableFuture.completedFuture("primary"), thrown -> whileOpen);
        whileOpen.completeExceptionally(new Strange());
        assertThat(rejected.toCompletableFuture()).as("while open").isCompletedExceptionally();
    }

    @Test
    void cancelling_still_reaches_the_stage_of_the_fallback() throws Exception {
        cluster.open(one);
        CompletableFuture<String> fallback = new CompletableFuture<>();
        CompletionStage<String> answer =
                one.callStage(() -> CompletableFuture.completedFuture("primary"), failure -> fallback);
        assertThat(answer.toCompletableFuture().cancel(true)).isTrue();
        assertThat(fallback).isCancelled();
    }

    @Test
    void a_future_is_noted_for_whoever_made_the_call_when_it_is_asked_for() throws Exception {
        Future<String> answer = one.breaker.callFuture(
                one,
                called -> CompletableFuture.failedFuture(new IOException("HTTP 503")),
                (called, failure) -> CompletableFuture.completedFuture("fallback"),
                rules);
        serveOthers();
        assertThat(answer.get()).isEqualTo("fallback");
        assertThat(mine).containsExactly(answer(Rung.FALLBACK));
        assertThat(others).isEmpty();
    }

    @Test
    void while_a_later_fallback_runs_its_thread_has_the_notes_of_the_caller() throws Exception {
        List<Optional<Notes>> inherited = new ArrayList<>();
        Notes whose = caller;
        CompletableFuture<String> primary = new CompletableFuture<>();
        CompletionStage<String> unused = one.callStage(() -> primary, failure -> {
            inherited.add(InheritedNotes.get());
            return CompletableFuture.completedFuture("fallback");
        });
        serveOthers();
        primary.completeExceptionally(new IOException("HTTP 503"));
        cluster.time.endRequest();
        assertThat(inherited).containsExactly(Optional.of(whose));
        assertThat(InheritedNotes.get()).isEmpty();
    }

    @Test
    void where_the_configuration_takes_the_breaker_away_it_is_noted_all_the_same() throws Exception {
        Guard guard = one.breakers.withoutBreaker(Cluster.RAWG);
        Fallback<Instance, String> fallback = (instance, failure) -> "fallback";
        assertThat(guard.call(one, called -> Cluster.fail(), fallback, rules)).isEqualTo("fallback");
        assertThat(mine).containsExactly(answer(Rung.FALLBACK));
    }

    @Test
    void nobody_wants_to_know_and_nothing_is_noted() throws Exception {
        caller = Notes.NONE;
        cluster.provider.down();
        one.visit();
        assertThat(mine).isEmpty();
    }
}
