package io.distributedfallback.core;

import io.distributedfallback.core.Cluster.Instance;
import io.distributedfallback.core.Cluster.Rejection;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Future;
import org.junit.jupiter.api.Test;

import static io.distributedfallback.core.CallOutcome.FALLBACK_RETURNED;
import static io.distributedfallback.core.CallOutcome.FALLBACK_THREW;
import static io.distributedfallback.core.CallOutcome.PRIMARY_RETURNED;
import static io.distributedfallback.core.CallOutcome.PRIMARY_THREW;
import static io.distributedfallback.core.CallOutcome.REJECTED;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

/** Each way that a call took is counted once, and what answers instead of the primary is shown. */
class WatchedCallsTest {

    private final Cluster cluster = new Cluster();
    private final List<CallOutcome> counted = new ArrayList<>();
    private final List<String> shown = new ArrayList<>();
    private final List<String> metered = new ArrayList<>();
    private final FailureRules rules = FailureRules.forAll(Cluster.RAWG, List.of(), new BreakerListener() {});
    private final Instance one;

    WatchedCallsTest() {
        cluster.instruments = new Instruments() {
            @Override
            public Optional<CallMeter> meter(String breaker) {
                metered.add(breaker);
                return Optional.of(counted::add);
            }

            @Override
            public Tracing tracing() {
                return new Shown();
            }
        };
        one = cluster.instance();
    }

    private final class Shown implements Tracing {

        @Override
        public Trace fallback(String breaker, FallbackReason reason) {
            return begin("fallback " + breaker + " " + reason);
        }

        @Override
        public Trace probe(String breaker) {
            return begin("probe " + breaker);
        }

        private Trace begin(String what) {
            return new Trace() {
                private String said = what;

                @Override
                public void leave() {
                    said += " left";
                }

                @Override
                public void failed(Throwable thrown) {
                    said += " " + thrown.getClass().getSimpleName();
                }

                @Override
                public void found(ProbeVerdict verdict) {
                    said += " " + verdict;
                }

                @Override
                public void end() {
                    shown.add(said);
                }
            };
        }
    }

    @Test
    void a_call_that_the_primary_answers_counts_once_and_shows_nothing() throws Exception {
        one.visit();
        assertThat(counted).containsExactly(PRIMARY_RETURNED);
        assertThat(shown).isEmpty();
    }

    @Test
    void a_call_that_fails_and_is_answered_by_the_fallback_counts_once_for_each() throws Exception {
        cluster.provider.down();
        one.visit();
        assertThat(counted).containsExactly(PRIMARY_THREW, FALLBACK_RETURNED);
        assertThat(shown).containsExactly("fallback rawg FAILED left");
    }

    @Test
    void a_call_whose_fallback_fails_too_says_so() {
        cluster.provider.down();
        assertThatThrownBy(() -> one.breaker.call(cluster.provider::visit, Cluster::fail))
                .isInstanceOf(IOException.class);
        assertThat(counted).containsExactly(PRIMARY_THREW, FALLBACK_THREW);
        assertThat(shown).containsExactly("fallback rawg FAILED left IOException");
    }

    @Test
    void a_failure_without_a_fallback_is_the_primarys_alone() {
        cluster.provider.down();
        assertThatThrownBy(() -> one.breaker.call(cluster.provider::visit)).isInstanceOf(IOException.class);
        assertThat(counted).containsExactly(PRIMARY_THREW);
        assertThat(shown).isEmpty();
    }

    @Test
    void an_open_breaker_sends_calls_to_the_fallback_and_never_to_the_primary() throws Exception {
        cluster.open(one);
        forget();
        one.visit();
        assertThat(counted).containsExactly(FALLBACK_RETURNED);
        assertThat(shown).containsExactly("fallback rawg OPEN left");
    }

    @Test
    void a_call_that_is_kept_from_the_primary_and_has_no_fallback_is_rejected() throws Exception {
        cluster.open(one);
        forget();
        assertThatThrownBy(() -> one.breaker.call(cluster.provider::visit)).isInstanceOf(Rejection.class);
        assertThat(counted).containsExactly(REJECTED);
        assertThat(shown).isEmpty();
    }

    @Test
    void a_probe_is_shown_with_its_verdict_and_is_no_call() throws Exception {
        cluster.open(one);
        cluster.passInterval();
        forget();
        one.visit();
        assertThat(counted).containsExactly(FALLBACK_RETURNED);
        assertThat(shown).containsExactly("fallback rawg OPEN left", "probe rawg IOException left FAIL");
        cluster.provider.up();
        cluster.passInterval();
        one.visit();
        assertThat(shown).contains("probe rawg left PASS");
    }

    @Test
    void a_trial_is_a_visitors_call_like_any_other() throws Exception {
        cluster.policy = cluster.policy.toBuilder()
                .recovery(io.distributedfallback.Recovery.TRIAL)
                .build();
        Instance trying = cluster.instance();
        cluster.open(trying);
        cluster.provider.up();
        cluster.passInterval();
        forget();
        assertThat(trying.visit()).isEqualTo("primary");
        assertThat(counted).containsExactly(PRIMARY_RETURNED);
    }

    @Test
    void a_pause_is_the_reason_while_the_provider_asked_for_one() throws Exception {
        cluster.store.coolDown(
                Cluster.RAWG,
                Optional.empty(),
                Failures.one(io.distributedfallback.FailureKind.THROTTLED, "HTTP 429"),
                cluster.policy);
        cluster.time.pass(Duration.ofSeconds(31));
        one.visit();
        assertThat(shown).containsExactly("fallback rawg COOLDOWN left");
    }

    @Test
    void a_stage_counts_when_it_completes() throws Exception {
        CompletableFuture<String> primary = new CompletableFuture<>();
        CompletableFuture<String> fallback = new CompletableFuture<>();
        CompletionStage<String> answer = one.callStage(() -> primary, failure -> fallback);
        assertThat(counted).isEmpty();
        primary.completeExceptionally(new IOException("HTTP 503"));
        cluster.time.endRequest();
        assertThat(counted).containsExactly(PRIMARY_THREW);
        assertThat(shown).isEmpty();
        fallback.complete("fallback");
        cluster.time.endRequest();
        assertThat(answer.toCompletableFuture().get()).isEqualTo("fallback");
        assertThat(counted).containsExactly(PRIMARY_THREW, FALLBACK_RETURNED);
        assertThat(shown).containsExactly("fallback rawg FAILED left");
    }

    @Test
    void a_stage_that_is_kept_from_the_primary_counts_when_the_fallbacks_completes() throws Exception {
        cluster.open(one);
        forget();
        CompletableFuture<String> fallback = new CompletableFuture<>();
        CompletionStage<String> unused =
                one.callStage(() -> CompletableFuture.completedFuture("primary"), failure -> fallback);
        assertThat(counted).isEmpty();
        fallback.completeExceptionally(new IOException("HTTP 500"));
        assertThat(counted).containsExactly(FALLBACK_THREW);
        assertThat(shown).containsExactly("fallback rawg OPEN left IOException");
    }

    @Test
    void a_future_counts_when_it_is_asked() throws Exception {
        Future<String> answer = one.breaker.callFuture(
                one,
                called -> CompletableFuture.failedFuture(new IOException("HTTP 503")),
                (called, failure) -> CompletableFuture.completedFuture("fallback"),
                rules);
        assertThat(answer.get()).isEqualTo("fallback");
        assertThat(counted).containsExactly(PRIMARY_THREW, FALLBACK_RETURNED);
        Future<String> failing = one.breaker.callFuture(
                one,
                called -> CompletableFuture.failedFuture(new IOException("HTTP 503")),
                (called, failure) -> CompletableFuture.failedFuture(new IOException("HTTP 500")),
                rules);
        assertThatThrownBy(failing::get).isInstanceOf(ExecutionException.class);
        assertThat(counted).containsExactly(PRIMARY_THREW, FALLBACK_RETURNED, PRIMARY_THREW, FALLBACK_THREW);
    }

    @Test
    void keys_share_the_meter_of_their_breaker() throws Exception {
        one.breakers.get(Cluster.RAWG, "tenant-1").call(cluster.provider::visit, () -> "fallback");
        one.breakers.get(Cluster.RAWG, "tenant-2").call(cluster.provider::visit, () -> "fallback");
        assertThat(counted).containsExactly(PRIMARY_RETURNED, PRIMARY_RETURNED);
        assertThat(metered).containsExactly(Cluster.RAWG);
    }

    @Test
    void where_the_configuration_takes_the_breaker_away_calls_count_all_the_same() throws Exception {
        Guard guard = one.breakers.withoutBreaker(Cluster.RAWG);
        Fallback<Instance, String> fallback = (instance, failure) -> "fallback";
        assertThat(guard.call(one, instance -> "primary", fallback, rules)).isEqualTo("primary");
        assertThat(guard.call(one, instance -> Cluster.fail(), fallback, rules)).isEqualTo("fallback");
        assertThat(counted).containsExactly(PRIMARY_RETURNED, PRIMARY_THREW, FALLBACK_RETURNED);
        assertThat(shown).containsExactly("fallback rawg FAILED left");
    }

    private void forget() {
        counted.clear();
        shown.clear();
    }
}
