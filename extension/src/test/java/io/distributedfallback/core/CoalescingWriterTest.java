package io.distributedfallback.core;

import io.distributedfallback.BreakerState;
import io.distributedfallback.BreakerTransition;
import io.distributedfallback.Classification;
import io.distributedfallback.FailureKind;
import io.distributedfallback.RetryAfter;
import io.distributedfallback.core.Cluster.Instance;
import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

import static org.assertj.core.api.Assertions.assertThat;

/** How failures get to the store: together, in their order, once each. */
@Timeout(60)
class CoalescingWriterTest {

    /** Opens by nothing that happens here, and has calls counted in a window. */
    private static final Policy WITH_WINDOW = new PolicyBuilder()
            .failureThreshold(1000)
            .failureRatio(OptionalDouble.of(0.9))
            .build();

    private final Cluster cluster = new Cluster();
    private final Instance one = cluster.instance();

    private int stored() {
        return cluster.store.readAll().stream()
                .mapToInt(row -> row.standing().consecutiveFailures())
                .sum();
    }

    @Nested
    class InTheirOrder {

        @Test
        void a_success_that_ends_while_a_failure_is_being_written_comes_after_it() throws Exception {
            one.visit();
            cluster.provider.down();
            cluster.store.beforeNextAnswer(() -> succeed(one));
            one.visit();
            assertThat(one.failures()).isZero();
            assertThat(stored()).isZero();
        }

        @Test
        void a_success_does_not_wait_for_the_write_that_it_causes() throws Exception {
            cluster.timings = new Timings(
                    Duration.ofSeconds(2), Duration.ofSeconds(30), Duration.ofSeconds(30), Duration.ofSeconds(30));
            Instance instance = cluster.instance();
            cluster.provider.down();
            instance.visit();
            cluster.time.hold();
            cluster.provider.up();
            assertThat(instance.call()).isEqualTo("primary");
            assertThat(stored()).isEqualTo(1);
            cluster.time.release();
            assertThat(stored()).isZero();
        }

        @Test
        void successes_that_have_nothing_to_set_back_any_more_are_not_written() throws Exception {
            one.visit();
            cluster.provider.down();
            one.visit();
            cluster.time.hold();
            for (int i = 0; i < 10; i++) {
                succeed(one);
            }
            int before = cluster.store.writes();
            cluster.time.release();
            succeed(one);
            assertThat(cluster.store.writes()).isEqualTo(before + 1);
        }

        @Test
        void a_count_that_another_instance_has_set_back_is_not_set_back_again_and_again() throws Exception {
            Instance other = cluster.instance();
            other.visit();
            cluster.provider.down();
            other.visit();
            cluster.time.passSeconds(3);
            one.breakers.readAhead();
            succeed(other);
            int before = cluster.store.writes();
            for (int i = 0; i < 100; i++) {
                succeed(one);
            }
            assertThat(cluster.store.writes() - before).isLessThanOrEqualTo(2);
            cluster.time.passSeconds(3);
            other.visit();
            cluster.time.passSeconds(3);
            one.breakers.readAhead();
            succeed(one);
            assertThat(stored()).isZero();
        }
    }

    @Nested
    class WhileTheStoreIsAway {

        @Test
        void what_was_written_in_vain_goes_with_the_first_write_after_the_return() throws Exception {
            one.visit();
            cluster.provider.down();
            cluster.store.goAway();
            one.visit();
            one.visit();
            cluster.store.comeBack();
            cluster.time.passSeconds(3);
            one.breakers.readAhead();
            assertThat(stored()).isEqualTo(2);
            assertThat(cluster.told).endsWith("back");
        }

        @Test
        void a_success_between_them_keeps_its_place() throws Exception {
            one.visit();
            cluster.provider.down();
            cluster.store.goAway();
            one.visit();
            one.visit();
            succeed(one);
            one.visit();
            cluster.store.comeBack();
            cluster.time.passSeconds(3);
            one.breakers.readAhead();
            assertThat(stored()).isEqualTo(1);
        }

        @Test
        void a_success_that_waited_for_the_next_read_does_not_set_back_the_failures_after_it() throws Exception {
            cluster.policy = WITH_WINDOW;
            one.visit();
            cluster.provider.down();
            one.visit();
            succeed(one); // sets the count back
            succeed(one); // waits for the next read
            cluster.store.goAway();
            cluster.time.passSeconds(3);
            one.breakers.readAhead();
            one.visit();
            one.visit();
            cluster.store.comeBack();
            cluster.time.passSeconds(3);
            one.breakers.readAhead();
            assertThat(stored()).isEqualTo(2);
        }

        @Test
        void what_came_during_a_write_that_fails_keeps_its_place_after_it() throws Exception {
            one.visit();
            cluster.provider.down();
            cluster.store.beforeNextAnswer(() -> {
                succeed(one);
                throw new IllegalStateException("the connection is lost");
            });
            one.visit();
            one.visit();
            cluster.time.passSeconds(3);
            one.breakers.readAhead();
            assertThat(stored()).isEqualTo(1);
        }

        @Test
        void what_was_written_before_a_pause_that_could_not_be_is_not_told_to_the_stand_in_again() throws Exception {
            cluster.policy = new PolicyBuilder().failureThreshold(1000).build();
            one.visit();
            cluster.provider.down();
            FailureRules throttled = FailureRules.forAll(
                    Cluster.RAWG,
                    List.of(failure -> Optional.of(Classification.throttled(new RetryAfter.In(Duration.ofSeconds(9))))),
                    new BreakerListener() {});
            cluster.store.beforeNextAnswer(() -> {
                failStage(one.breaker.definition().rules());
                failStage(throttled);
                cluster.store.beforeNextAnswer(cluster.store::goAway);
            });
            one.visit();
            assertThat(cluster.told).containsExactly("lost DFB302");
            assertThat(one.failures()).isEqualTo(2);
        }

        /** A call that does not wait for its failure to be written. */
        private void failStage(FailureRules rules) {
            CompletionStage<String> unused = one.breaker.callStage(
                    Cluster.RAWG,
                    name -> CompletableFuture.failedFuture(new IOException("HTTP 503")),
                    (name, failure) -> CompletableFuture.completedFuture("fallback"),
                    rules);
        }

        @Test
        void an_hour_of_it_takes_no_more_room_than_a_minute() throws Exception {
            Backlog kept = new Backlog(Duration.ofSeconds(30).toNanos());
            for (int i = 0; i < 10_000; i++) {
                Backlog arrived = new Backlog(Duration.ofSeconds(30).toNanos());
                long now = cluster.time.nanos();
                arrived.add(Evidence.of(Failures.one(FailureKind.OUTAGE, "HTTP 503")), now, now);
                kept.addLast(arrived);
                cluster.time.pass(Duration.ofMillis(1));
            }
            assertThat(kept.evidence(cluster.time.nanos()).failureCount()).isEqualTo(10_000);
            assertThat(kept.slices()).isLessThan(20);
        }

        @Test
        void what_is_older_than_the_copy_may_be_is_dropped_and_the_rest_is_not() throws Exception {
            one.visit();
            cluster.provider.down();
            cluster.store.goAway();
            one.visit();
            cluster.time.passSeconds(25);
            one.visit();
            cluster.store.comeBack();
            cluster.time.passSeconds(10);
            one.breakers.readAhead();
            assertThat(stored()).isEqualTo(1);
        }

        @Test
        void nothing_is_kept_for_ever_by_traffic_that_does_well() throws Exception {
            one.visit();
            cluster.provider.down();
            cluster.store.goAway();
            one.visit();
            cluster.provider.up();
            cluster.time.pass(Duration.ofMinutes(1));
            one.visit();
            cluster.store.comeBack();
            int before = cluster.store.writes();
            cluster.time.pass(Duration.ofMinutes(1));
            one.visit();
            one.visit();
            assertThat(cluster.store.writes()).isEqualTo(before);
        }
    }

    @Nested
    class InDoubt {

        @Test
        void a_write_that_turns_out_to_have_lasted_is_not_repeated_and_its_transition_is_told() throws Exception {
            failInDoubt(cluster.store::loseNextAnswer);
            assertThat(cluster.store.readAll().get(0).isOpen()).isTrue();
            assertThat(stored()).isEqualTo(3);
            assertThat(cluster.transitions)
                    .extracting(BreakerTransition::to)
                    .as("one by the stand-in, one by the store")
                    .containsExactly(BreakerState.OPEN, BreakerState.OPEN);
        }

        @Test
        void a_write_that_turns_out_not_to_have_lasted_is_repeated() throws Exception {
            failInDoubt(cluster.store::loseNextWrite);
            assertThat(cluster.store.readAll().get(0).isOpen()).isTrue();
            assertThat(stored()).isEqualTo(3);
        }

        @Test
        void a_write_of_which_nothing_can_be_found_out_is_not_repeated() throws Exception {
            failInDoubt(cluster.store::forgetNextWrite);
            assertThat(stored()).isEqualTo(2);
        }

        @Test
        void two_of_them_keep_their_order() throws Exception {
            one.visit();
            cluster.provider.down();
            cluster.store.forgetNextWrite();
            one.visit();
            cluster.time.passSeconds(3);
            one.breakers.readAhead();
            succeed(one); // waits for the next read
            cluster.store.loseNextWrite(); // and now both turn out not to have lasted
            one.visit();
            cluster.time.passSeconds(5);
            one.breakers.readAhead();
            assertThat(stored()).isEqualTo(1);
        }

        private void failInDoubt(Runnable trouble) throws Exception {
            one.visit();
            cluster.provider.down();
            one.visit();
            one.visit();
            trouble.run();
            one.visit();
            assertThat(one.breaker.isOpen()).isTrue();
            cluster.time.passSeconds(3);
            one.breakers.readAhead();
        }
    }

    @Nested
    class ForAWindow {

        @Test
        void successes_wait_for_the_next_read_and_go_together() throws Exception {
            cluster.policy = WITH_WINDOW;
            one.visit();
            cluster.provider.down();
            one.visit();
            succeed(one); // sets the count back
            int before = cluster.store.writes();
            for (int i = 0; i < 100; i++) {
                succeed(one);
            }
            assertThat(cluster.store.writes()).isEqualTo(before);
            cluster.time.passSeconds(3);
            cluster.provider.up();
            one.visit();
            assertThat(cluster.store.writes()).isEqualTo(before + 1);
            assertThat(cluster.store.readAll().get(0).window().calls()).isBetween(102, 103);
            assertThat(cluster.store.readAll().get(0).window().failures()).isEqualTo(1);
        }

        @Test
        void successes_alone_go_a_few_times_in_a_window_and_not_with_each_read() throws Exception {
            cluster.policy = WITH_WINDOW;
            cluster.provider.down();
            one.visit();
            cluster.provider.up();
            succeed(one); // sets the count back
            int before = cluster.store.writes();
            for (int i = 0; i < 50; i++) {
                cluster.time.passSeconds(1);
                one.visit();
            }
            assertThat(cluster.store.reads()).isGreaterThan(15);
            assertThat(cluster.store.writes() - before).isBetween(5, 10);
        }

        @Test
        void successes_that_end_while_others_are_being_written_do_not_set_out_at_once() throws Exception {
            cluster.policy = WITH_WINDOW;
            one.visit();
            cluster.provider.down();
            one.visit();
            succeed(one); // sets the count back
            succeed(one); // waits for the next read
            int before = cluster.store.writes();
            succeedDuringEachOf(20);
            cluster.time.passSeconds(3);
            one.breakers.readAhead();
            assertThat(cluster.store.writes()).isEqualTo(before + 1);
        }

        private void succeedDuringEachOf(int writes) {
            cluster.store.beforeNextAnswer(() -> {
                succeed(one);
                if (writes > 1) {
                    succeedDuringEachOf(writes - 1);
                }
            });
        }

        @Test
        void a_failure_takes_the_successes_along_that_wait() throws Exception {
            cluster.policy = WITH_WINDOW;
            cluster.provider.down();
            one.visit();
            succeed(one);
            succeed(one);
            succeed(one);
            one.visit();
            assertThat(cluster.store.readAll().get(0).window().calls()).isEqualTo(5);
            assertThat(one.failures()).isEqualTo(1);
        }

        @Test
        void with_no_window_under_way_successes_are_nobodys_business() throws Exception {
            cluster.policy = WITH_WINDOW;
            cluster.provider.down();
            one.visit();
            succeed(one);
            cluster.time.pass(cluster.policy.window().plusSeconds(1));
            one.breakers.readAhead();
            int before = cluster.store.writes();
            succeed(one);
            cluster.time.passSeconds(3);
            succeed(one);
            cluster.time.endRequest();
            assertThat(cluster.store.writes()).isEqualTo(before);
        }
    }

    private static void succeed(Instance instance) {
        try {
            assertThat(instance.call(() -> "primary")).isEqualTo("primary");
        } catch (Exception e) {
            throw new AssertionError(e);
        }
    }

    @Nested
    class WithManyThreads {

        private static final int THREADS = 50;
        private static final Timings PATIENT = new Timings(
                Duration.ofSeconds(2), Duration.ofSeconds(30), Duration.ofSeconds(30), Duration.ofSeconds(30));

        private final ExecutorService callers = Executors.newCachedThreadPool();
        private final ExecutorService managed = Executors.newCachedThreadPool();
        private final List<Future<String>> calls = new ArrayList<>();
        private final CountDownLatch isWriting = new CountDownLatch(1);
        private final CountDownLatch mayGoOn = new CountDownLatch(1);
        private volatile boolean starving;

        @AfterEach
        void stop() {
            mayGoOn.countDown();
            callers.shutdownNow();
            managed.shutdownNow();
        }

        private CircuitBreaker breaker(Timings timings) {
            cluster.policy = new PolicyBuilder().failureThreshold(1000).build();
            CircuitBreakers breakers = new CircuitBreakers(
                    Optional.of(cluster.store),
                    new MemoryBreakerStore(cluster.time, Instant.EPOCH, "stand-in"),
                    new Surroundings(new OnThreads(this::execute), cluster.time, new BreakerListener() {}, timings),
                    new Application(name -> cluster.policy, Map.of(), List.of(), Cluster.Rejection::new));
            return breakers.get(Cluster.RAWG);
        }

        /** While all threads are busy, what is handed over waits in a queue. */
        private void execute(Runnable task) {
            if (!starving) {
                managed.execute(task);
            }
        }

        private void holdTheNextWrite() {
            cluster.store.beforeNextAnswer(() -> {
                isWriting.countDown();
                try {
                    mayGoOn.await();
                } catch (InterruptedException e) {
                    Thread.currentThread().interrupt();
                }
            });
        }

        private void fail(CircuitBreaker breaker, List<Thread> threads) {
            calls.add(callers.submit(() -> {
                synchronized (threads) {
                    threads.add(Thread.currentThread());
                }
                return breaker.call(Cluster::fail, () -> "fallback");
            }));
        }

        /** All of them wait for a write. */
        private void awaitWaiting(List<Thread> threads, int count) {
            while (true) {
                synchronized (threads) {
                    if (threads.size() == count
                            && threads.stream().allMatch(thread -> thread.getState() == Thread.State.TIMED_WAITING)) {
                        return;
                    }
                }
                Thread.onSpinWait();
            }
        }

        @Test
        void failures_that_come_while_a_write_is_under_way_share_the_next_one() throws Exception {
            CircuitBreaker breaker = breaker(PATIENT);
            breaker.call(() -> "primary");
            holdTheNextWrite();
            List<Thread> threads = new ArrayList<>();
            fail(breaker, threads);
            isWriting.await();
            for (int i = 0; i < THREADS; i++) {
                fail(breaker, threads);
            }
            awaitWaiting(threads, THREADS + 1);
            mayGoOn.countDown();
            for (Future<String> call : calls) {
                assertThat(call.get()).isEqualTo("fallback");
            }
            assertThat(cluster.store.writes()).isEqualTo(2);
            assertThat(stored()).isEqualTo(THREADS + 1);
        }

        @Test
        void where_no_thread_is_free_to_wake_a_crowd_it_does_not_wait_for_one() throws Exception {
            CircuitBreaker breaker = breaker(PATIENT);
            breaker.call(() -> "primary");
            holdTheNextWrite();
            List<Thread> threads = new ArrayList<>();
            fail(breaker, threads);
            isWriting.await();
            for (int i = 0; i < THREADS; i++) {
                fail(breaker, threads);
            }
            awaitWaiting(threads, THREADS + 1);
            starving = true;
            mayGoOn.countDown();
            for (Future<String> call : calls) {
                assertThat(call.get(10, TimeUnit.SECONDS)).isEqualTo("fallback");
            }
        }

        @Test
        void pauses_that_are_asked_for_while_a_write_is_under_way_share_the_next_one() throws Exception {
            CircuitBreaker breaker = breaker(PATIENT);
            breaker.call(() -> "primary");
            holdTheNextWrite();
            List<Thread> threads = new ArrayList<>();
            fail(breaker, threads);
            isWriting.await();
            for (int i = 1; i <= THREADS; i++) {
                Duration pause = Duration.ofSeconds(i);
                FailureRules throttled = FailureRules.forAll(
                        Cluster.RAWG,
                        List.of(failure -> Optional.of(Classification.throttled(new RetryAfter.In(pause)))),
                        new BreakerListener() {});
                calls.add(callers.submit(() -> {
                    synchronized (threads) {
                        threads.add(Thread.currentThread());
                    }
                    return breaker.call(Cluster.RAWG, name -> Cluster.fail(), (name, failure) -> "fallback", throttled);
                }));
            }
            awaitWaiting(threads, THREADS + 1);
            mayGoOn.countDown();
            for (Future<String> call : calls) {
                assertThat(call.get()).isEqualTo("fallback");
            }
            assertThat(cluster.store.writes()).isEqualTo(2);
            assertThat(cluster.store.readAll().get(0).holds().cooldownLeft()).isEqualTo(Duration.ofSeconds(THREADS));
        }

        @Test
        void a_caller_waits_no_longer_than_the_write_timeout_and_its_failure_counts_once_all_the_same()
                throws Exception {
            CircuitBreaker breaker = breaker(new Timings(
                    Duration.ofSeconds(2), Duration.ofSeconds(30), Duration.ofMillis(100), Duration.ofMillis(100)));
            breaker.call(() -> "primary");
            holdTheNextWrite();
            long started = System.nanoTime();
            assertThat(breaker.call(Cluster::fail, () -> "fallback")).isEqualTo("fallback");
            assertThat(Duration.ofNanos(System.nanoTime() - started))
                    .isBetween(Duration.ofMillis(100), Duration.ofSeconds(5));
            assertThat(breaker.call(Cluster::fail, () -> "fallback")).isEqualTo("fallback");
            assertThat(breaker.status().standing().consecutiveFailures()).isEqualTo(2); // by the stand-in
            mayGoOn.countDown();
            managed.shutdown();
            assertThat(managed.awaitTermination(30, TimeUnit.SECONDS)).isTrue();
            assertThat(stored()).isEqualTo(1); // that of the write which hung; the other waits for the store's return
        }

        @Test
        void the_fallback_answers_while_the_failure_is_being_written_and_nobody_leaves_before_that_is_done()
                throws Exception {
            CircuitBreaker breaker = breaker(PATIENT);
            breaker.call(() -> "primary");
            holdTheNextWrite();
            CountDownLatch answered = new CountDownLatch(1);
            Future<String> call = callers.submit(() -> breaker.call(Cluster::fail, () -> {
                answered.countDown();
                return "fallback";
            }));
            isWriting.await();
            answered.await();
            assertThat(call.isDone()).isFalse();
            mayGoOn.countDown();
            assertThat(call.get()).isEqualTo("fallback");
            assertThat(stored()).isEqualTo(1);
        }

        @Test
        void a_stage_waits_for_its_write_and_no_thread_does() throws Exception {
            CircuitBreaker breaker = breaker(PATIENT);
            breaker.call(() -> "primary");
            holdTheNextWrite();
            List<CompletableFuture<String>> outcomes = new ArrayList<>();
            for (int i = 0; i < THREADS; i++) {
                CompletableFuture<String> primary = new CompletableFuture<>();
                outcomes.add(breaker.callStage(() -> primary, () -> CompletableFuture.completedFuture("fallback"))
                        .toCompletableFuture());
                primary.completeExceptionally(new IOException("HTTP 503"));
            }
            isWriting.await();
            while (((ThreadPoolExecutor) managed).getActiveCount() > 1) {
                Thread.onSpinWait();
            }
            assertThat(outcomes).noneMatch(CompletableFuture::isDone);
            mayGoOn.countDown();
            for (CompletableFuture<String> outcome : outcomes) {
                assertThat(outcome.get()).isEqualTo("fallback");
            }
            assertThat(stored()).isEqualTo(THREADS);
        }

        @Test
        void a_storm_is_counted_to_the_last_failure() throws Exception {
            CircuitBreaker breaker = breaker(PATIENT);
            cluster.policy = new PolicyBuilder().failureThreshold(1_000_000).build();
            breaker.call(() -> "primary");
            for (int t = 0; t < 16; t++) {
                calls.add(callers.submit(() -> {
                    for (int n = 0; n < 2_000; n++) {
                        assertThat(breaker.call(
                                        () -> {
                                            throw new IOException("HTTP 503");
                                        },
                                        () -> "fallback"))
                                .isEqualTo("fallback");
                    }
                    return "done";
                }));
            }
            for (Future<String> call : calls) {
                assertThat(call.get()).isEqualTo("done");
            }
            assertThat(stored()).isEqualTo(32_000);
            assertThat(cluster.store.writes()).isLessThan(32_000);
        }
    }
}
