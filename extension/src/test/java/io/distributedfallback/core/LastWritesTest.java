package io.distributedfallback.core;

import io.distributedfallback.Classification;
import io.distributedfallback.FailureKind;
import io.distributedfallback.OperatorCommand;
import io.distributedfallback.OperatorCommand.Action;
import io.distributedfallback.RetryAfter;
import io.distributedfallback.core.Cluster.Instance;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

/** What an application that stops has still to say, on a server that gives it no threads any more. */
class LastWritesTest {

    private final Cluster cluster = new Cluster();
    private final Instance one = cluster.instance();
    private final Instance other = cluster.instance();

    /** Whether another instance may probe at once after this happened while the first one did. */
    private boolean givesBackWhen(Cluster.Incident stop) throws Exception {
        cluster.open(one);
        cluster.provider.whileAsked = stop;
        cluster.passInterval();
        one.visit();
        cluster.provider.whileAsked = () -> {};
        cluster.time.reject(false);
        cluster.store.comeBack();
        int before = cluster.provider.probes;
        other.visit();
        return cluster.provider.probes > before;
    }

    @Test
    void a_lease_is_given_back_though_the_server_has_taken_its_threads_away() throws Exception {
        assertThat(givesBackWhen(() -> {
                    cluster.time.reject(true);
                    one.breakers.close();
                }))
                .isTrue();
        assertThat(cluster.told).doesNotContain("lost DFB501");
    }

    @Test
    void a_lease_is_given_back_though_the_store_was_lost_for_want_of_a_thread() throws Exception {
        assertThat(givesBackWhen(() -> {
                    cluster.time.reject(true);
                    one.breakers.get("other").call(Cluster::fail, () -> "fallback");
                    assertThat(cluster.told).contains("lost DFB501");
                    one.breakers.close();
                }))
                .isTrue();
    }

    @Test
    void a_lease_is_given_back_though_the_store_is_left_alone_for_a_while_yet() throws Exception {
        assertThat(givesBackWhen(() -> {
                    cluster.store.goAway();
                    one.breakers.get("other").call(Cluster::fail, () -> "fallback");
                    assertThat(cluster.told).contains("lost DFB302");
                    cluster.store.comeBack();
                    one.breakers.close();
                }))
                .isTrue();
    }

    @Test
    void a_store_that_is_away_is_asked_a_few_times_and_for_one_breaker_alone() throws Exception {
        int[] writes = new int[1];
        assertThat(givesBackWhen(() -> {
                    cluster.store.goAway();
                    one.breakers.get("other").call(Cluster::fail, () -> "fallback");
                    one.breakers.get("another").call(Cluster::fail, () -> "fallback");
                    writes[0] = -cluster.store.writes();
                    one.breakers.close();
                    writes[0] += cluster.store.writes();
                }))
                .isFalse();
        assertThat(writes[0]).isEqualTo(LastWrites.TRIES);
    }

    @Nested
    class OfFailures {

        /** The store goes away, and the instance is alone with some failures. */
        private void failAlone(int failures) throws Exception {
            one.visit();
            cluster.store.goAway();
            cluster.provider.down();
            for (int i = 0; i < failures; i++) {
                one.visit();
            }
        }

        private BreakerRow stored() {
            return cluster.store.readAll().stream()
                    .filter(row -> row.name().equals(Cluster.RAWG))
                    .findFirst()
                    .orElseGet(() -> BreakerRow.absent(Cluster.RAWG));
        }

        private int counted() {
            return stored().standing().consecutiveFailures();
        }

        @Test
        void what_an_instance_is_alone_with_is_handed_over_if_the_store_is_there_again() throws Exception {
            failAlone(2);
            cluster.store.comeBack();
            one.breakers.close();
            assertThat(counted()).isEqualTo(2);
        }

        @Test
        void what_opened_its_breaker_opens_it_for_all() throws Exception {
            failAlone(cluster.policy.failureThreshold());
            cluster.store.comeBack();
            one.breakers.close();
            assertThat(stored().isOpen()).isTrue();
            assertThat(other.visit()).isEqualTo("fallback");
        }

        @Test
        void what_is_too_old_is_not() throws Exception {
            failAlone(2);
            cluster.store.comeBack();
            cluster.time.pass(cluster.timings.maxAge().plusSeconds(1));
            int before = cluster.store.writes();
            one.breakers.close();
            assertThat(cluster.store.writes()).isEqualTo(before);
        }

        @Test
        void what_has_closed_since_is_not_opened_again() throws Exception {
            failAlone(2);
            cluster.store.comeBack();
            cluster.time.passSeconds(1);
            cluster.open(other);
            other.breaker.command(new OperatorCommand(Action.RESET, "ann", "it is well", Optional.empty()));
            one.breakers.close();
            assertThat(counted()).isZero();
        }

        @Test
        void what_the_end_of_the_threads_has_kept_from_the_store_is_handed_over() throws Exception {
            one.visit();
            cluster.provider.down();
            cluster.time.reject(true);
            one.visit();
            assertThat(counted()).isZero();
            one.breakers.close();
            assertThat(counted()).isEqualTo(1);
        }

        @Test
        void what_waits_for_a_thread_is_handed_over_once() throws Exception {
            one.visit();
            cluster.provider.down();
            cluster.time.hold();
            Written unused =
                    one.breaker.outcomes().fail(Failures.one(FailureKind.OUTAGE, "HTTP 503"), cluster.time.nanos());
            assertThat(cluster.time.waitingForThread()).isEqualTo(1);
            cluster.time.reject(true);
            one.breakers.close();
            assertThat(counted()).isEqualTo(1);
            cluster.time.release();
            assertThat(counted()).isEqualTo(1);
        }

        @Test
        void one_write_too_many_counts_once() throws Exception {
            one.visit();
            cluster.provider.down();
            cluster.store.loseNextAnswer();
            one.visit();
            one.visit();
            one.breakers.close();
            assertThat(counted()).isEqualTo(2);
        }

        @Test
        void what_is_not_known_to_be_written_is_asked_for_at_the_end() throws Exception {
            one.visit();
            cluster.provider.down();
            cluster.store.loseNextWrite();
            one.visit();
            one.breakers.close();
            assertThat(counted()).isEqualTo(1);
        }

        @Test
        void a_pause_that_the_provider_asked_for_is_handed_over() throws Exception {
            failAlone(1);
            Written unused = one.breaker
                    .outcomes()
                    .alsoTell(Classification.throttled(new RetryAfter.In(Duration.ofMinutes(10))), "HTTP 429");
            cluster.store.comeBack();
            one.breakers.close();
            assertThat(stored().holds().cooldownLeft()).isEqualTo(Duration.ofMinutes(10));
        }

        @Test
        void what_it_has_closed_alone_is_not_handed_over() throws Exception {
            failAlone(cluster.policy.failureThreshold());
            cluster.provider.up();
            for (int i = 0; i < cluster.policy.probeSuccesses(); i++) {
                cluster.passInterval();
                one.visit();
            }
            assertThat(one.breaker.isOpen()).isFalse();
            cluster.store.comeBack();
            one.breakers.close();
            assertThat(counted()).isZero();
        }

        @Test
        void one_that_the_store_refuses_keeps_no_other_from_having_its_say() throws Exception {
            failAlone(1);
            one.breakers.get("another").call(Cluster::fail, () -> "fallback");
            cluster.store.comeBack();
            cluster.store.beforeNextWrite(() -> {
                throw new IllegalStateException("a deadlock");
            });
            one.breakers.close();
            assertThat(cluster.store.readAll())
                    .singleElement()
                    .satisfies(row ->
                            assertThat(row.standing().consecutiveFailures()).isEqualTo(1));
        }

        @Test
        void an_instance_that_is_well_says_nothing() throws Exception {
            one.visit();
            int before = cluster.store.writes();
            one.breakers.close();
            assertThat(cluster.store.writes()).isEqualTo(before);
        }
    }

    @Nested
    class BesideAWriteUnderWay {

        private final ExecutorService threads = Executors.newCachedThreadPool();
        private final CountDownLatch setOut = new CountDownLatch(1);
        private final CountDownLatch mayGoOn = new CountDownLatch(1);
        private Timings timings = new Timings(
                Duration.ofMinutes(1), Duration.ofMinutes(2), Duration.ofSeconds(20), Duration.ofSeconds(20));
        private CircuitBreakers breakers = instance();

        private CircuitBreakers instance() {
            return new CircuitBreakers(
                    Optional.of(cluster.store),
                    new MemoryBreakerStore(cluster.time, Instant.EPOCH, "stand-in"),
                    new Surroundings(new OnThreads(threads), cluster.time, new BreakerListener() {}, timings),
                    new Application(name -> cluster.policy, Map.of(), List.of(), Cluster.Rejection::new));
        }

        @AfterEach
        void stop() {
            mayGoOn.countDown();
            threads.shutdownNow();
        }

        private Written fail() {
            return breakers.get(Cluster.RAWG)
                    .outcomes()
                    .fail(Failures.one(FailureKind.OUTAGE, "HTTP 503"), cluster.time.nanos());
        }

        /** Writes of one breaker that go wrong, in that way, once the application has begun to stop. */
        private int countedAfter(Runnable trouble, int failures) throws Exception {
            cluster.store.beforeNextWrite(() -> {
                setOut.countDown();
                try {
                    mayGoOn.await();
                } catch (InterruptedException e) {
                    throw new IllegalStateException(e);
                }
                trouble.run();
            });
            Written unused = fail();
            setOut.await();
            for (int i = 1; i < failures; i++) {
                unused = fail();
            }
            Future<?> stop = threads.submit(breakers::close);
            assertThatThrownBy(() -> stop.get(50, TimeUnit.MILLISECONDS)).isInstanceOf(TimeoutException.class);
            mayGoOn.countDown();
            stop.get(20, TimeUnit.SECONDS);
            return cluster.store.readAll().stream()
                    .mapToInt(row -> row.standing().consecutiveFailures())
                    .sum();
        }

        @Test
        void what_comes_back_unwritten_is_handed_over() throws Exception {
            assertThat(countedAfter(cluster.store::loseNextWrite, 1)).isEqualTo(1);
        }

        @Test
        void what_was_written_and_is_not_known_to_be_counts_once() throws Exception {
            assertThat(countedAfter(cluster.store::loseNextAnswer, 1)).isEqualTo(1);
        }

        @Test
        void what_waits_behind_it_goes_as_well() throws Exception {
            assertThat(countedAfter(cluster.store::loseNextWrite, 3)).isEqualTo(3);
            assertThat(cluster.store.writes()).isLessThanOrEqualTo(3);
        }

        @Test
        void one_that_was_given_up_and_comes_back_in_vain_is_handed_over() throws Exception {
            timings = new Timings(
                    Duration.ofMinutes(1), Duration.ofMinutes(2), Duration.ofSeconds(20), Duration.ofMillis(300));
            breakers = instance();
            CountDownLatch mayFail = new CountDownLatch(1);
            cluster.store.beforeNextWrite(() -> {
                try {
                    mayFail.await();
                } catch (InterruptedException e) {
                    throw new IllegalStateException(e);
                }
                throw new IllegalStateException("the connection broke");
            });
            fail().await();
            assertThat(breakers.copy().storeUp()).isFalse();
            Future<?> stop = threads.submit(breakers::close);
            assertThatThrownBy(() -> stop.get(50, TimeUnit.MILLISECONDS)).isInstanceOf(TimeoutException.class);
            mayFail.countDown();
            stop.get(20, TimeUnit.SECONDS);
            assertThat(cluster.store.readAll())
                    .singleElement()
                    .satisfies(row ->
                            assertThat(row.standing().consecutiveFailures()).isEqualTo(1));
        }
    }

    @Nested
    class Together {

        private final ManualTime time = new ManualTime();
        private final StoreHealth health = new StoreHealth(time, () -> 0, new StoreHealth.Watcher() {});
        private final List<String> written = new ArrayList<>();
        private Duration writeTimeout = Duration.ofSeconds(1);

        private LastWrites last() {
            Duration unused = Duration.ofSeconds(1);
            return new LastWrites(
                    health,
                    new Surroundings(
                            time, time, new BreakerListener() {}, new Timings(unused, unused, unused, writeTimeout)));
        }

        @Test
        void they_take_no_longer_than_one_write_may() {
            LastWrites last = last();
            last.make(() -> {
                time.pass(Duration.ofMillis(600));
                written.add("first");
            });
            last.make(() -> {
                time.pass(Duration.ofMillis(400));
                written.add("second");
            });
            last.make(() -> written.add("third"));
            assertThat(written).containsExactly("first", "second");
        }

        @Test
        void one_that_hangs_is_the_last_to_be_waited_for() {
            writeTimeout = Duration.ofMillis(20);
            LastWrites last = last();
            time.hold();
            last.make(() -> written.add("first"));
            assertThat(health.loss().orElseThrow().reason().code()).isEqualTo(ProblemCode.DFB305);
            time.pass(writeTimeout);
            last.make(() -> written.add("second"));
            assertThat(time.heldTasks()).isEqualTo(1);
        }

        @Test
        void connections_that_broke_with_the_database_are_used_up_first() {
            LastWrites last = last();
            int[] broken = {LastWrites.TRIES - 1};
            last.make(() -> {
                if (broken[0]-- > 0) {
                    throw StoreException.away();
                }
                written.add("first");
            });
            last.make(() -> written.add("second"));
            assertThat(written).containsExactly("first", "second");
        }

        @Test
        void after_one_that_finds_the_store_away_none_is_tried() {
            LastWrites last = last();
            last.make(() -> {
                throw StoreException.away();
            });
            last.make(() -> written.add("second"));
            assertThat(written).isEmpty();
        }
    }
}
