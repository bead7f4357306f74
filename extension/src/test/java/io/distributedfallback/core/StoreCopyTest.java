package io.distributedfallback.core;

import io.distributedfallback.BreakerState;
import io.distributedfallback.FailureKind;
import io.distributedfallback.ProbeTrigger;
import io.distributedfallback.core.Cluster.Instance;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/** The instance's copy of the store, and life without the store. */
class StoreCopyTest {

    private final Cluster cluster = new Cluster();
    private final Instance one = cluster.instance();
    private final Instance other = cluster.instance();

    @Test
    void the_first_call_of_an_instance_waits_for_a_read() throws Exception {
        one.call();
        assertThat(cluster.store.reads()).isEqualTo(1);
        assertThat(one.breaker.status().copyAge()).contains(Duration.ZERO);
    }

    @Test
    void a_fresh_copy_is_used_as_it_is() throws Exception {
        one.visit();
        cluster.time.passSeconds(2);
        one.visit();
        assertThat(cluster.store.reads()).isEqualTo(1);
    }

    @Test
    void an_older_copy_is_used_and_refreshed_after_the_request_once() throws Exception {
        one.visit();
        cluster.time.passSeconds(3);
        for (int i = 0; i < 10; i++) {
            one.call();
        }
        assertThat(cluster.store.reads()).isEqualTo(1);
        cluster.time.endRequest();
        assertThat(cluster.store.reads()).isEqualTo(2);
    }

    @Test
    void a_copy_past_its_age_is_waited_for() throws Exception {
        one.visit();
        cluster.open(other);
        cluster.provider.up();
        cluster.time.pass(cluster.timings.maxAge().plusMillis(1));
        assertThat(one.call()).isEqualTo("fallback");
    }

    @Test
    void one_read_serves_all_breakers_of_an_instance() throws Exception {
        for (int i = 0; i < 50; i++) {
            one.breakers.get("breaker " + i).call(() -> "primary");
        }
        assertThat(cluster.store.reads()).isEqualTo(1);
    }

    @Test
    void twenty_breakers_whose_leases_went_elsewhere_cost_no_more_than_one_read() throws Exception {
        cluster.policy = new PolicyBuilder().build(); // trials
        List<String> names =
                IntStream.range(0, 20).mapToObj(i -> "breaker " + i).toList();
        for (String name : names) {
            cluster.store.record(name, Evidence.of(new Failures(3, FailureKind.OUTAGE, "HTTP 503")), cluster.policy);
        }
        cluster.passInterval();
        one.visit();
        names.forEach(name -> cluster.store.acquireProbe(name, cluster.policy));
        int before = cluster.store.reads();
        for (int i = 0; i < 3; i++) {
            for (String name : names) {
                assertThat(one.breakers.get(name).call(() -> "primary", () -> "fallback"))
                        .isEqualTo("fallback");
                cluster.time.endRequest();
            }
            cluster.time.passSeconds(3);
        }
        assertThat(cluster.store.reads()).isBetween(before + 1, before + 3);
    }

    @Test
    void starting_instances_write_nothing() throws Exception { // field case C2
        for (int i = 0; i < 32; i++) {
            cluster.instance().visit();
        }
        assertThat(cluster.store.writes()).isZero();
    }

    @Test
    void a_store_that_is_away_at_the_start_leaves_the_breaker_closed() throws Exception {
        cluster.store.goAway();
        assertThat(one.visit()).isEqualTo("primary");
        assertThat(cluster.told).containsExactly("lost DFB302");
    }

    @Test
    void after_a_failed_read_no_call_waits_until_the_back_off_has_passed() throws Exception {
        cluster.chance = () -> Math.nextDown(1.0); // the whole of each
        cluster.store.goAway();
        one.visit();
        for (int i = 0; i < 10; i++) {
            one.visit();
        }
        assertThat(cluster.store.reads()).isEqualTo(1);
        cluster.time.passSeconds(2);
        one.visit();
        assertThat(cluster.store.reads()).isEqualTo(2);
        cluster.time.passSeconds(3);
        one.visit();
        assertThat(cluster.store.reads()).isEqualTo(2);
        cluster.time.passSeconds(1);
        one.visit();
        assertThat(cluster.store.reads()).isEqualTo(3);
    }

    @Test
    void the_back_off_doubles_to_half_a_minute() throws Exception {
        cluster.chance = () -> Math.nextDown(1.0); // the whole of each
        cluster.store.goAway();
        for (int second = 0; second < 302; second++) {
            one.visit();
            cluster.time.passSeconds(1);
        }
        // At 0, 2, 6, 14, 30, then every 30 s: 60, 90, ... 300.
        assertThat(cluster.store.reads()).isEqualTo(14);
    }

    @Test
    void while_the_store_is_away_the_last_copy_holds() throws Exception {
        cluster.open(one);
        cluster.store.goAway();
        cluster.time.passSeconds(40);
        cluster.provider.up();
        assertThat(other.call()).isEqualTo("primary"); // never read: closed
        assertThat(one.call()).isEqualTo("fallback"); // known to be open
    }

    @Test
    void while_the_store_is_away_an_instance_opens_on_its_own_evidence() throws Exception { // C4
        one.visit();
        cluster.store.goAway();
        cluster.open(one);
        int before = cluster.provider.visitors;
        assertThat(one.visit()).isEqualTo("fallback");
        assertThat(cluster.provider.visitors).isEqualTo(before);
        assertThat(cluster.told.stream().filter(line -> line.startsWith("lost")))
                .hasSize(1);
    }

    @Test
    void an_opening_before_the_loss_is_probed_and_closed_by_the_instance_alone() throws Exception {
        cluster.open(one);
        cluster.store.goAway();
        cluster.provider.up();
        for (int i = 0; i < 3; i++) {
            cluster.passInterval();
            one.visit();
        }
        one.visit();
        assertThat(one.visit()).isEqualTo("primary");
    }

    @Test
    void when_the_store_is_back_what_an_instance_saw_meanwhile_comes_together_there() throws Exception { // C4
        one.visit();
        other.visit();
        cluster.store.goAway();
        cluster.provider.down();
        one.visit();
        one.visit();
        other.visit();
        cluster.store.comeBack();
        cluster.time.passSeconds(3);
        other.call();
        one.call();
        cluster.time.endRequest();
        assertThat(cluster.instance().breaker.status().standing().state()).isEqualTo(BreakerState.CLOSED);
        Instance newcomer = cluster.instance();
        assertThat(newcomer.visit()).isEqualTo("fallback");
        assertThat(newcomer.breaker.status().standing().state()).isEqualTo(BreakerState.OPEN);
    }

    @Test
    void when_the_store_is_back_its_word_counts() throws Exception {
        one.visit();
        cluster.store.goAway();
        cluster.open(one);
        cluster.time.pass(cluster.timings.maxAge().plusSeconds(1));
        cluster.store.comeBack();
        cluster.provider.up();
        one.visit();
        assertThat(one.visit()).isEqualTo("primary");
        assertThat(cluster.told).endsWith("back");
    }

    @Test
    void a_verdict_under_a_lease_of_the_stand_in_is_kept_from_the_store_that_is_back() throws Exception {
        cluster.open(one);
        cluster.store.goAway();
        cluster.passInterval();
        cluster.provider.whileAsked = () -> {
            // The store is back while the probe is under way, and there another instance holds the next token.
            cluster.provider.whileAsked = () -> {};
            cluster.store.comeBack();
            cluster.time.passSeconds(3);
            other.call();
            assertThat(cluster.store.acquireProbe(Cluster.RAWG, cluster.policy)).isPresent();
            one.breaker.status();
            one.breakers.get("another").call(() -> "primary");
            cluster.time.endRequest();
        };
        one.visit(); // the write of the lease fails, and the stand-in grants it
        Duration left = cluster.store.readAll().get(0).recovery().leaseLeft();
        assertThat(left).isPositive();
    }

    @Test
    void a_store_that_returns_after_an_hour_is_told_nothing_old() throws Exception { // C5
        one.visit();
        cluster.store.goAway();
        cluster.provider.down();
        one.visit();
        one.visit();
        cluster.time.pass(Duration.ofHours(1));
        cluster.store.comeBack();
        one.visit();
        assertThat(one.failures()).isEqualTo(1);
    }

    @Test
    void a_write_that_fails_costs_the_caller_nothing_but_the_fallback() throws Exception { // C3
        one.visit();
        cluster.store.goAway();
        cluster.provider.down();
        assertThat(one.visit()).isEqualTo("fallback");
        assertThat(one.failures()).isEqualTo(1);
    }

    @Test
    void a_read_that_hangs_is_given_up_after_its_timeout_and_welcome_later() throws Exception {
        cluster.timings = shortTimings();
        Instance instance = cluster.instance();
        instance.visit();
        cluster.open(other);
        cluster.time.pass(cluster.timings.maxAge().plusMillis(1));
        cluster.time.hold();
        cluster.provider.up();
        assertThat(instance.call()).isEqualTo("primary"); // waited 20 ms for real, then used what there was
        assertThat(cluster.told).contains("lost DFB305");
        assertThat(instance.call()).isEqualTo("primary"); // does not wait again
        cluster.time.release();
        assertThat(instance.call()).isEqualTo("fallback");
    }

    @Test
    void a_read_during_which_the_instance_stood_still_gets_its_time_once_more() throws Exception {
        one.visit();
        cluster.open(other);
        cluster.time.passSeconds(3);
        cluster.store.beforeNextRead(() -> {
            cluster.time.standStill(Duration.ofSeconds(40));
            one.breakers.readAhead();
        });
        one.visit();
        assertThat(one.breaker.isOpen()).isTrue();
        assertThat(cluster.told).isEmpty();
    }

    @Test
    void and_not_twice() throws Exception {
        one.visit();
        cluster.time.passSeconds(3);
        cluster.store.beforeNextRead(() -> {
            cluster.time.standStill(Duration.ofSeconds(40));
            one.breakers.readAhead();
            cluster.time.standStill(Duration.ofSeconds(40));
            one.breakers.readAhead();
        });
        one.visit();
        assertThat(cluster.told).contains("lost DFB305");
    }

    @Test
    void a_first_read_that_takes_long_is_no_loss_and_one_caller_waits_for_it() throws Exception {
        cluster.timings = shortTimings();
        Instance instance = cluster.instance();
        cluster.open(other);
        cluster.provider.up();
        cluster.time.hold();
        assertThat(instance.call()).isEqualTo("primary"); // waited 20 ms for real, then took it for closed
        assertThat(instance.call()).isEqualTo("primary"); // does not wait again
        cluster.time.passSeconds(10);
        assertThat(instance.call()).isEqualTo("primary");
        assertThat(cluster.told).noneMatch(line -> line.startsWith("lost"));
        cluster.time.release();
        assertThat(instance.call()).isEqualTo("fallback");
    }

    @Test
    void a_first_read_that_hangs_for_more_than_ten_seconds_is_a_loss() throws Exception {
        cluster.timings = shortTimings();
        Instance instance = cluster.instance();
        cluster.time.hold();
        instance.call();
        cluster.time.pass(Duration.ofSeconds(10).plusMillis(1));
        int asked = cluster.time.heldTasks();
        instance.call();
        assertThat(cluster.told).contains("lost DFB305");
        assertThat(cluster.time.heldTasks()).as("the store is left alone").isEqualTo(asked);
    }

    @Test
    void an_instance_that_reads_ahead_knows_of_an_outage_before_its_first_call() throws Exception {
        cluster.open(other);
        Instance instance = cluster.instance();
        instance.breakers.readAhead();
        assertThat(instance.breaker.isOpen()).isTrue();
        assertThat(cluster.store.reads()).isEqualTo(2);
        instance.call();
        assertThat(cluster.store.reads()).isEqualTo(2);
    }

    @Test
    void a_write_that_hangs_is_counted_locally_and_has_its_effect_when_it_gets_through() throws Exception {
        cluster.timings = shortTimings();
        Instance instance = cluster.instance();
        instance.visit();
        cluster.provider.down();
        cluster.time.hold();
        for (int i = 0; i < 3; i++) {
            assertThat(instance.call()).isEqualTo("fallback");
        }
        assertThat(instance.breaker.isOpen()).isTrue();
        assertThat(cluster.told).containsOnlyOnce("lost DFB305");
        cluster.time.release();
        other.visit();
        assertThat(other.failures()).isGreaterThanOrEqualTo(1);
    }

    @Test
    void an_executor_that_rejects_is_no_callers_trouble() throws Exception {
        one.visit();
        cluster.provider.down();
        cluster.time.reject(true);
        for (int i = 0; i < 3; i++) {
            assertThat(one.call()).isEqualTo("fallback");
        }
        assertThat(one.breaker.isOpen()).isTrue();
        assertThat(cluster.told).contains("lost DFB501");
    }

    @Test
    void a_timer_does_not_find_a_store_that_nothing_can_be_written_to() throws Exception {
        cluster.policy =
                cluster.policy.toBuilder().probeTrigger(ProbeTrigger.BACKGROUND).build();
        one.breakers.startBackgroundProbes();
        one.visit();
        cluster.time.rejectAllButTimers();
        for (int i = 0; i < cluster.policy.failureThreshold(); i++) {
            String unused = one.call(Cluster::fail);
        }
        assertThat(one.breaker.isOpen()).isTrue();
        cluster.time.pass(Duration.ofMinutes(3));
        assertThat(cluster.told).doesNotContain("back");
        assertThat(cluster.told).containsOnlyOnce("lost DFB501");

        cluster.time.reject(false);
        cluster.time.pass(StoreHealth.LONGEST_BACK_OFF);
        cluster.time.passSeconds(5);
        assertThat(cluster.told).containsOnlyOnce("back");
    }

    @Test
    void an_executor_that_queues_gets_one_read_of_a_lost_store_however_long_it_lasts() throws Exception {
        cluster.policy =
                cluster.policy.toBuilder().probeTrigger(ProbeTrigger.BACKGROUND).build();
        one.breakers.startBackgroundProbes();
        one.visit();
        cluster.store.goAway();
        String unused = one.call(Cluster::fail);
        assertThat(cluster.told).endsWith("lost DFB302");
        cluster.store.comeBack();
        cluster.time.hold();
        cluster.time.passSeconds(60);
        assertThat(cluster.told).endsWith("lost DFB302");
        assertThat(cluster.time.waitingForThread()).isEqualTo(1);
        cluster.time.release();
        assertThat(cluster.told).endsWith("back");
    }

    @Test
    void an_interrupted_caller_keeps_its_flag_and_the_failure_is_recorded() throws Exception {
        one.visit();
        cluster.provider.down();
        Thread.currentThread().interrupt();
        assertThat(one.call()).isEqualTo("fallback");
        assertThat(Thread.interrupted()).isTrue();
        assertThat(one.failures()).isEqualTo(1);
    }

    @Test
    void a_lease_granted_after_its_asker_had_gone_is_given_back() throws Exception {
        cluster.timings = shortTimings();
        cluster.policy = new PolicyBuilder().build(); // trials
        Instance instance = cluster.instance();
        cluster.open(instance);
        cluster.passInterval();
        instance.visit(); // a trial, which fails
        cluster.passInterval();
        instance.breaker.status();
        cluster.time.hold();
        instance.call(); // asks for the lease, in vain
        cluster.time.release();
        BreakerRow row = cluster.store.readAll().get(0);
        assertThat(row.recovery().leaseLeft()).isZero();
    }

    @Test
    void a_store_that_can_be_read_and_not_written_is_left_alone_for_longer_each_time() throws Exception { // C8, C14
        one.visit();
        cluster.store.refuseWrites();
        cluster.provider.down();
        for (int i = 0; i < 100; i++) {
            one.visit();
            cluster.time.passSeconds(3);
        }
        assertThat(cluster.provider.visitors).isLessThan(60);
    }

    @Test
    void a_store_of_which_a_part_cannot_be_loaded_is_told_for_what_it_is() throws Exception {
        cluster.timings = shortTimings();
        Instance instance = cluster.instance();
        cluster.store.breakDown();
        assertThat(instance.call()).isEqualTo("primary");
        assertThat(cluster.told).containsExactly("lost DFB306");
    }

    @Test
    void a_write_for_which_a_part_cannot_be_loaded_is_told_for_what_it_is() throws Exception {
        cluster.timings = shortTimings();
        Instance instance = cluster.instance();
        instance.visit();
        cluster.store.breakDown();
        cluster.provider.down();
        assertThat(instance.call()).isEqualTo("fallback");
        assertThat(cluster.told).containsExactly("lost DFB306");
        assertThat(instance.failures()).isEqualTo(1);
    }

    @Test
    void a_write_that_finds_no_thread_in_time_is_made_once_when_the_store_is_back() throws Exception {
        cluster.timings = shortTimings();
        Instance instance = cluster.instance();
        instance.visit();
        cluster.provider.down();
        other.visit();
        cluster.time.hold();
        assertThat(instance.call()).isEqualTo("fallback");
        assertThat(instance.failures()).isEqualTo(1); // by the stand-in
        cluster.time.release();
        assertThat(cluster.store.readAll().get(0).standing().consecutiveFailures())
                .isEqualTo(1);
        cluster.time.passSeconds(3);
        instance.breakers.readAhead();
        assertThat(cluster.told).endsWith("back");
        assertThat(cluster.store.readAll().get(0).standing().consecutiveFailures())
                .isEqualTo(2);
        assertThat(instance.failures()).isEqualTo(2);
    }

    @Test
    void a_write_that_ends_after_the_loss_does_not_speak_for_the_stand_in() throws Exception {
        Instance instance = cluster.instance();
        instance.visit();
        cluster.provider.down();
        other.visit();
        other.visit();
        cluster.store.beforeNextAnswer(() -> {
            cluster.store.goAway();
            cluster.time.pass(cluster.timings.maxAge().plusSeconds(1));
            instance.breakers.readAhead();
            try {
                instance.call();
            } catch (Exception e) {
                throw new AssertionError(e);
            }
        });
        assertThat(instance.call()).isEqualTo("fallback"); // the third in all, as the store learns
        assertThat(cluster.transitions).hasSize(1);
        assertThat(cluster.told).contains("lost DFB302");
        assertThat(instance.failures()).isEqualTo(1); // the one that the stand-in has got
        assertThat(instance.breaker.isOpen()).isFalse();
    }

    @Test
    void an_interrupted_caller_never_gets_what_the_store_threw() throws Exception { // C3
        ExecutorService threads = Executors.newSingleThreadExecutor();
        try {
            for (int round = 0; round < 3000; round++) {
                StoreHealth health = new StoreHealth(System::nanoTime, () -> 0, new StoreHealth.Watcher() {});
                Surroundings around = new Surroundings(
                        new OnThreads(threads), System::nanoTime, new BreakerListener() {}, Timings.DEFAULT);
                GuardedStore writes = new GuardedStore(
                        Optional.of(cluster.store),
                        new MemoryBreakerStore(System::nanoTime, Instant.EPOCH, "stand-in"),
                        health,
                        new SharedFate(around),
                        around);
                int spins = round % 300;
                Thread.currentThread().interrupt();
                writes.write(
                        store -> {
                            for (int i = 0; store instanceof FaultyStore && i < spins; i++) {
                                Thread.onSpinWait();
                            }
                            if (store instanceof FaultyStore) {
                                throw new StoreException(
                                        new Problem(ProblemCode.DFB302, "the store", "", "Wait"), null);
                            }
                            return Optional.empty();
                        },
                        seen -> {});
                assertThat(Thread.interrupted()).isTrue();
            }
        } finally {
            Thread.interrupted();
            threads.shutdownNow();
        }
    }

    /** Waits for real, and so must be short; time stands still meanwhile. */
    private static Timings shortTimings() {
        return new Timings(Duration.ofSeconds(2), Duration.ofSeconds(30), Duration.ofMillis(20), Duration.ofMillis(20));
    }
}
