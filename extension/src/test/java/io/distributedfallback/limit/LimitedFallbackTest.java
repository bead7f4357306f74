package io.distributedfallback.limit;

import io.distributedfallback.Classification;
import io.distributedfallback.FailureKind;
import io.distributedfallback.FallbackLimit.Scope;
import io.distributedfallback.FallbackLimitedException;
import io.distributedfallback.RetryAfter;
import io.distributedfallback.core.BreakerListener;
import io.distributedfallback.core.FailureRules;
import io.distributedfallback.core.Fallback;
import io.distributedfallback.core.LimitReason;
import io.distributedfallback.core.Policy;
import io.distributedfallback.core.Surroundings;
import io.distributedfallback.core.Timings;
import java.io.IOException;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

/** A fallback under a limit: permits, turns and pauses. */
class LimitedFallbackTest {

    private static final Instant NOW = Instant.parse("2026-11-30T12:00:00Z");

    private final StoppedTime time = new StoppedTime();
    private final BucketInMemory bucket = new BucketInMemory(time);
    private final List<String> told = new ArrayList<>();
    private final IOException primary = new IOException("primary");
    private Optional<PermitStore> store = Optional.empty();

    private Surroundings around() {
        return new Surroundings(
                time,
                time,
                new BreakerListener() {
                    @Override
                    public void fallbackLimited(String breaker, String limit, LimitReason reason) {
                        told.add(breaker + " " + limit + " " + reason);
                    }

                    @Override
                    public void fallbackPaused(String limit, Duration pause, String failure) {
                        told.add(limit + " " + pause);
                    }
                },
                Timings.DEFAULT);
    }

    private FallbackLimits limits() {
        return new FallbackLimits(around(), store, Clock.fixed(NOW, ZoneOffset.UTC));
    }

    private static LimitSettings settings(int permits, int maxConcurrent, Duration maxWait) {
        return new LimitSettings("igdb", permits, Scope.CLUSTER, permits, maxConcurrent, maxWait);
    }

    private static LimitedMethod method(boolean endsLater) {
        FailureRules rules = new FailureRules(
                "rawg",
                List.of(Throwable.class),
                List.of(),
                List.of(failure -> Optional.of(
                        failure instanceof Throttled throttled
                                ? new Classification(FailureKind.THROTTLED, Optional.ofNullable(throttled.retryAfter))
                                : Classification.of(
                                        failure instanceof IOException
                                                ? FailureKind.OUTAGE
                                                : FailureKind.CALLER_ERROR))),
                new BreakerListener() {});
        return new LimitedMethod("rawg", rules, () -> Policy.DEFAULT, endsLater);
    }

    private static final class Throttled extends Exception {
        private static final long serialVersionUID = 1L;
        private final transient RetryAfter retryAfter;

        Throttled(RetryAfter retryAfter) {
            this.retryAfter = retryAfter;
        }
    }

    /** What a call does is what it is given. */
    private static Fallback<Outcome, Object> as(FallbackLimits limits, LimitSettings settings, boolean endsLater) {
        return limits.over((outcome, failure) -> outcome.get(), settings, method(endsLater));
    }

    private interface Outcome {
        Object get() throws Throwable;
    }

    private Object call(Fallback<Outcome, Object> fallback, Outcome outcome) {
        try {
            return fallback.answer(outcome, () -> primary);
        } catch (FallbackLimitedException limited) {
            return "limited " + limited.retryAfter().toMillis();
        } catch (Throwable thrown) {
            return thrown;
        }
    }

    private static Outcome failing(Throwable thrown) {
        return () -> {
            throw thrown;
        };
    }

    @Test
    void over_the_cap_a_call_hears_at_once_which_limit_it_was_and_when_to_retry() throws Throwable {
        Fallback<Outcome, Object> fallback = as(limits(), settings(4, 0, Duration.ZERO), false);
        for (int i = 0; i < 4; i++) {
            assertThat(call(fallback, () -> "answer")).isEqualTo("answer");
        }
        FallbackLimitedException refused = catchThrowableOfType(
                FallbackLimitedException.class, () -> fallback.answer(() -> "answer", () -> primary));
        assertThat(refused.breaker()).isEqualTo("rawg");
        assertThat(refused.limit()).isEqualTo("igdb");
        assertThat(refused.retryAfter()).isEqualTo(Duration.ofMillis(250));
        assertThat(refused.getStackTrace()).isEmpty();
        assertThat(told).containsExactly("rawg igdb RATE");
        time.passMillis(250);
        assertThat(call(fallback, () -> "answer")).isEqualTo("answer");
    }

    @Test
    void fallbacks_that_name_the_same_limit_share_it() {
        FallbackLimits limits = limits();
        LimitSettings settings = settings(1, 0, Duration.ZERO);
        assertThat(call(as(limits, settings, false), () -> "one")).isEqualTo("one");
        assertThat(call(as(limits, settings, true), () -> "two")).isEqualTo("limited 1000");
    }

    @Test
    void only_so_many_are_under_way_and_a_stage_is_until_it_completes() {
        Fallback<Outcome, Object> fallback = as(limits(), settings(100, 2, Duration.ZERO), true);
        CompletableFuture<String> slow = new CompletableFuture<>();
        call(fallback, () -> slow);
        call(fallback, () -> new CompletableFuture<>());
        assertThat(call(fallback, () -> "third")).isEqualTo("limited 0");
        assertThat(told).containsExactly("rawg igdb CONCURRENCY");
        slow.completeExceptionally(new IOException("slow"));
        assertThat(call(fallback, () -> "third")).isEqualTo("third");
    }

    @Test
    void a_call_that_ends_badly_or_is_refused_a_permit_gives_its_turn_back() {
        Fallback<Outcome, Object> fallback = as(limits(), settings(1, 1, Duration.ZERO), false);
        assertThat(call(fallback, failing(new Exception("bad")))).isInstanceOf(Exception.class);
        assertThat(call(fallback, () -> "second")).isEqualTo("limited 1000");
        time.pass(Duration.ofSeconds(1));
        assertThat(call(fallback, () -> "third")).isEqualTo("third");
    }

    @Test
    void a_plain_future_is_under_way_until_it_is_handed_over() {
        Fallback<Outcome, Object> fallback = as(limits(), settings(100, 1, Duration.ZERO), true);
        assertThat(call(fallback, () -> new FutureTask<>(() -> "never"))).isInstanceOf(FutureTask.class);
        assertThat(call(fallback, () -> "next")).isEqualTo("next");
    }

    @Test
    void a_call_may_wait_for_its_turn() throws Exception {
        Fallback<Outcome, Object> fallback = as(limits(), settings(100, 1, Duration.ofSeconds(5)), false);
        CountDownLatch begun = new CountDownLatch(1);
        CountDownLatch go = new CountDownLatch(1);
        CompletableFuture<Object> first = CompletableFuture.supplyAsync(() -> call(fallback, () -> {
            begun.countDown();
            return go.await(10, TimeUnit.SECONDS);
        }));
        assertThat(begun.await(10, TimeUnit.SECONDS)).isTrue();
        CompletableFuture<Object> second = CompletableFuture.supplyAsync(() -> call(fallback, () -> "second"));
        go.countDown();
        assertThat(second.get(10, TimeUnit.SECONDS)).isEqualTo("second");
        assertThat(first.get(10, TimeUnit.SECONDS)).isEqualTo(true);
    }

    @Test
    void a_call_that_comes_later_has_its_turn_later() throws Exception {
        Limit limit = new Limit(
                settings(100, 1, Duration.ofSeconds(5)), around(), Optional.empty(), Clock.systemUTC(), nanos -> {});
        for (int round = 0; round < 20; round++) {
            Queue<String> turns = new ConcurrentLinkedQueue<>();
            limit.enter("rawg");
            Thread waiting = new Thread(() -> {
                limit.enter("rawg");
                turns.add("waiting");
                limit.leave();
            });
            waiting.start();
            while (waiting.getState() != Thread.State.TIMED_WAITING) {
                Thread.onSpinWait();
            }
            limit.leave();
            limit.enter("rawg");
            turns.add("later");
            limit.leave();
            waiting.join();
            assertThat(turns).containsExactly("waiting", "later");
            time.pass(Duration.ofSeconds(1));
        }
    }

    @Test
    void a_call_that_may_wait_sleeps_until_its_permit_and_one_that_is_interrupted_is_refused() {
        List<Long> slept = new ArrayList<>();
        Limit limit = new Limit(
                settings(10, 0, Duration.ofSeconds(1)), around(), Optional.empty(), Clock.systemUTC(), nanos -> {
                    if (!slept.isEmpty()) {
                        throw new InterruptedException();
                    }
                    slept.add(nanos);
                    time.pass(Duration.ofNanos(nanos));
                });
        for (int i = 0; i < 10; i++) {
            limit.enter("rawg");
        }
        long before = time.nanos();
        assertThat(limit.enter("rawg") - before).isEqualTo(100_000_000);
        assertThat(slept).containsExactly(100_000_000L);
        assertThatThrownBy(() -> limit.enter("rawg")).isInstanceOf(FallbackLimitedException.class);
        assertThat(Thread.interrupted()).isTrue();
    }

    @Test
    void a_429_of_the_fallback_keeps_calls_away_until_its_retry_after_has_passed() {
        Fallback<Outcome, Object> fallback = as(limits(), settings(100, 0, Duration.ZERO), false);
        call(fallback, failing(new Throttled(new RetryAfter.In(Duration.ofSeconds(20)))));
        assertThat(call(fallback, () -> "early")).isEqualTo("limited 20000");
        assertThat(told).containsExactly("igdb PT20S", "rawg igdb PAUSE");
        time.pass(Duration.ofSeconds(20));
        assertThat(call(fallback, () -> "again")).isEqualTo("again");
    }

    @Test
    void a_date_is_held_against_the_clock_and_nothing_given_is_the_policys_cooldown_and_nothing_is_above_its_cap() {
        Fallback<Outcome, Object> fallback = as(limits(), settings(100, 0, Duration.ZERO), false);
        call(fallback, failing(new Throttled(new RetryAfter.At(NOW.plusSeconds(5)))));
        assertThat(call(fallback, () -> "early")).isEqualTo("limited 5000");
        time.pass(Duration.ofSeconds(5));
        call(fallback, failing(new Throttled(null)));
        assertThat(call(fallback, () -> "early")).isEqualTo("limited 60000");
        time.pass(Duration.ofSeconds(60));
        call(fallback, failing(new Throttled(new RetryAfter.At(Instant.MAX))));
        assertThat(call(fallback, () -> "early")).isEqualTo("limited 3600000");
    }

    @Test
    void three_outages_in_a_row_keep_calls_away_and_what_is_no_outage_says_nothing() {
        Fallback<Outcome, Object> fallback = as(limits(), settings(100, 0, Duration.ZERO), false);
        call(fallback, failing(new IOException("down")));
        call(fallback, failing(new IllegalArgumentException("the caller's")));
        call(fallback, failing(primary));
        call(fallback, failing(new LinkageError("ours")));
        call(fallback, failing(new IOException("down")));
        assertThat(call(fallback, failing(new IOException("down")))).isInstanceOf(IOException.class);
        assertThat(call(fallback, () -> "early")).isEqualTo("limited 1000");
        time.pass(Duration.ofSeconds(1));
        assertThat(call(fallback, () -> "again")).isEqualTo("again");
    }

    @Test
    void a_fallback_that_hands_on_the_429_that_it_was_given_says_nothing() {
        Fallback<Throwable, Object> fallback = limits().over(
                        (given, failure) -> {
                            throw given;
                        },
                        settings(100, 0, Duration.ZERO),
                        method(false));
        Throttled given = new Throttled(new RetryAfter.In(Duration.ofSeconds(20)));
        for (Throwable thrown : List.of(given, new IOException(given), new IOException(new IOException(given)))) {
            for (int i = 0; i < 3; i++) {
                assertThatThrownBy(() -> fallback.answer(thrown, () -> given)).isSameAs(thrown);
            }
        }
        assertThat(told).isEmpty();
    }

    @Test
    void a_date_of_centuries_ago_is_no_pause_and_the_failure_is_the_callers() {
        Fallback<Outcome, Object> fallback = as(limits(), settings(100, 0, Duration.ZERO), false);
        Throttled thrown = new Throttled(new RetryAfter.At(Instant.parse("0001-01-01T00:00:00Z")));
        assertThat(call(fallback, failing(thrown))).isSameAs(thrown);
        assertThat(call(fallback, () -> "next")).isEqualTo("next");
    }

    @Test
    void to_a_breaker_around_it_a_refusal_is_no_failure_of_the_provider() {
        FailureRules rules =
                new FailureRules("outer", List.of(Throwable.class), List.of(), List.of(), new BreakerListener() {});
        assertThat(rules.classify(new FallbackLimitedException("rawg", "igdb", Duration.ZERO, "refused"))
                        .kind())
                .isEqualTo(FailureKind.LOCAL);
    }

    @Test
    void a_pause_is_for_all_instances_if_the_limit_is() {
        store = Optional.of(bucket);
        Fallback<Outcome, Object> here = as(limits(), settings(100, 0, Duration.ZERO), false);
        Fallback<Outcome, Object> there = as(limits(), settings(100, 0, Duration.ZERO), false);
        call(here, failing(new Throttled(new RetryAfter.In(Duration.ofSeconds(20)))));
        assertThat(bucket.pauses).containsExactly(Duration.ofSeconds(20));
        assertThat(call(there, () -> "early")).isEqualTo("limited 20000");
        time.pass(Duration.ofSeconds(20));
        Function<Fallback<Outcome, Object>, Object> again = each -> call(each, () -> "again");
        assertThat(again.apply(here)).isEqualTo("again");
        assertThat(again.apply(there)).isEqualTo("again");
    }
}
