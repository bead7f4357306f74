package io.distributedfallback.core;

import io.distributedfallback.BreakerState;
import io.distributedfallback.BreakerTransition;
import io.distributedfallback.Recovery;
import io.distributedfallback.Route;
import io.distributedfallback.core.Cluster.Instance;
import java.time.Duration;
import java.util.OptionalDouble;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

import static org.assertj.core.api.Assertions.assertThat;

/** One sick instance must not take the provider from all the others, nor its visitors pay for its sickness. */
class QuorumTest {

    private final Cluster cluster = new Cluster();
    private final Instance sick = cluster.instance();
    private final Instance sound = cluster.instance();
    private final Instance third = cluster.instance();

    @BeforeEach
    void two_must_agree() throws Exception {
        cluster.policy = new PolicyBuilder().recovery(Recovery.PROBE).quorum(2).build();
        sick.visit();
        sound.visit();
        third.visit();
        cluster.provider.visitors = 0;
    }

    private void failOn(Instance instance, int times) throws Exception {
        cluster.provider.down();
        for (int i = 0; i < times; i++) {
            assertThat(instance.visit()).isEqualTo("fallback");
        }
        cluster.provider.up();
    }

    @Test
    void one_instance_alone_opens_for_itself_and_for_nobody_else() throws Exception {
        failOn(sick, 10);
        assertThat(cluster.provider.visitors).isEqualTo(3);
        assertThat(sick.breaker.isOpen()).isTrue();
        assertThat(sick.breaker.status().alone()).isTrue();
        assertThat(sick.breaker.status().route()).isEqualTo(Route.FALLBACK);
        assertThat(sick.breaker.status().standing().state()).isEqualTo(BreakerState.CLOSED);
        assertThat(sound.visit()).isEqualTo("primary");
        assertThat(sound.breaker.status().alone()).isFalse();
        assertThat(cluster.transitions).isEmpty();
        assertThat(cluster.told).containsExactly("alone");
    }

    @Test
    void it_returns_when_its_own_probes_have_passed() throws Exception {
        failOn(sick, 4);
        for (int i = 0; i < 3; i++) {
            cluster.passInterval();
            assertThat(sick.visit()).isEqualTo("fallback");
        }
        assertThat(cluster.provider.probes).isEqualTo(3);
        assertThat(sick.visit()).isEqualTo("primary");
        assertThat(cluster.told).containsExactly("alone", "PASS", "PASS", "no longer alone", "PASS");
    }

    @Test
    void calls_that_hung_until_its_own_probes_had_passed_open_nothing() throws Exception {
        sick.hang(10, () -> {
            failOn(sick, 4);
            for (int i = 0; i < 3; i++) {
                cluster.passInterval();
                assertThat(sick.visit()).isEqualTo("fallback");
            }
            assertThat(sick.visit()).isEqualTo("primary");
        });
        assertThat(sick.breaker.status().alone()).isFalse();
        assertThat(cluster.told).containsOnlyOnce("alone");
    }

    @Test
    void nor_do_those_that_hung_until_all_had_agreed_and_found_it_well_again() throws Exception {
        sick.hang(10, () -> {
            failOn(sound, 3);
            failOn(third, 3);
            cluster.time.passSeconds(3);
            sick.visit(); // which has the store read
            for (int i = 0; i < 3; i++) {
                cluster.passInterval();
                assertThat(sick.visit()).isEqualTo("fallback");
            }
            assertThat(sick.visit()).isEqualTo("primary");
        });
        assertThat(sick.breaker.status().alone()).isFalse();
        assertThat(sick.breaker.isOpen()).isFalse();
    }

    @Test
    void its_own_trial_call_is_the_test_where_there_is_no_probe() throws Exception {
        cluster.policy = new PolicyBuilder().quorum(2).build();
        failOn(sick, 4);
        cluster.passInterval();
        cluster.provider.down();
        assertThat(sick.visit()).isEqualTo("fallback");
        assertThat(cluster.provider.visitors).isEqualTo(4);
        assertThat(cluster.store.readAll().get(0).standing().consecutiveFailures())
                .as("a trial speaks for its instance alone")
                .isEqualTo(3);
        cluster.passInterval();
        cluster.provider.up();
        assertThat(sick.visit()).isEqualTo("primary");
        assertThat(sick.visit()).isEqualTo("primary");
    }

    @Test
    void two_that_agree_open_for_all_once() throws Exception {
        failOn(sick, 4);
        failOn(sound, 1);
        assertThat(cluster.transitions).extracting(BreakerTransition::to).containsExactly(BreakerState.OPEN);
        assertThat(sound.breaker.status().standing().failingInstances()).hasSize(2);
        cluster.time.passSeconds(3);
        assertThat(third.visit()).isEqualTo("primary"); // has its copy refreshed afterwards
        assertThat(third.visit()).isEqualTo("fallback");
    }

    @Test
    void what_all_agree_on_outranks_its_own_evidence() throws Exception {
        failOn(sick, 4);
        failOn(sound, 1);
        cluster.time.passSeconds(3);
        sick.visit();
        sick.visit();
        assertThat(sick.breaker.status().alone()).isFalse();
        for (int i = 0; i < 3; i++) {
            cluster.passInterval();
            sound.visit();
        }
        cluster.time.passSeconds(3);
        sick.visit();
        assertThat(sick.visit()).isEqualTo("primary");
        assertThat(cluster.told).contains("no longer alone");
    }

    @Test
    void a_success_of_its_own_sets_its_own_count_back() throws Exception {
        failOn(sick, 2);
        sick.visit();
        failOn(sick, 2);
        assertThat(sick.breaker.isOpen()).isFalse();
        failOn(sick, 1);
        assertThat(sick.breaker.isOpen()).isTrue();
    }

    @Test
    void successes_of_others_do_not() throws Exception {
        for (int i = 0; i < 3; i++) {
            failOn(sick, 1);
            cluster.time.passSeconds(3);
            sound.visit();
            sound.visit();
        }
        assertThat(sick.breaker.status().alone()).isTrue();
        assertThat(cluster.store.readAll()).isEmpty();
    }

    @Test
    void its_own_ratio_opens_for_it_as_well() throws Exception {
        cluster.policy = cluster.policy.toBuilder()
                .failureThreshold(1000)
                .failureRatio(OptionalDouble.of(0.5))
                .minimumCalls(10)
                .build();
        for (int i = 0; i < 5; i++) {
            failOn(sick, 1);
            sick.visit();
        }
        assertThat(sick.breaker.isOpen()).isFalse();
        failOn(sick, 2);
        assertThat(sick.breaker.status().alone()).isTrue();
        assertThat(sound.visit()).isEqualTo("primary");
    }

    @Test
    void its_own_evidence_ends_with_its_window() throws Exception {
        cluster.policy = cluster.policy.toBuilder()
                .failureThreshold(1000)
                .failureRatio(OptionalDouble.of(0.9))
                .build();
        failOn(sick, 1);
        assertThat(sick.visit()).isEqualTo("primary");
        cluster.time.pass(cluster.policy.window());
        sick.visit();
        sick.visit();
        assertThat(sick.breaker.holdsNothing()).isTrue();
    }

    @Test
    @Timeout(60)
    void an_instance_whose_own_evidence_begins_while_it_hears_that_all_agree_does_not_hang() throws Exception {
        Thread[] failing = new Thread[1];
        CountDownLatch isBeginning = new CountDownLatch(1);
        CountDownLatch mayBegin = new CountDownLatch(1);
        Instance instance = cluster.instance(() -> {
            if (Thread.currentThread().equals(failing[0])) {
                isBeginning.countDown();
                await(mayBegin);
            }
            return cluster.policy;
        });
        instance.visit();
        failing[0] = new Thread(() -> {
            try {
                instance.call(Cluster::fail);
            } catch (Exception e) {
                throw new AssertionError(e);
            }
        });
        failing[0].setDaemon(true);
        failing[0].start();
        isBeginning.await();
        failOn(sound, 2);
        failOn(third, 1);
        cluster.time.passSeconds(3);
        instance.breakers.readAhead();
        Thread looking = new Thread(instance.breaker::status);
        looking.setDaemon(true);
        looking.start();
        while (looking.getState() != Thread.State.BLOCKED && looking.isAlive()) {
            Thread.onSpinWait();
        }
        mayBegin.countDown();
        looking.join(Duration.ofSeconds(20).toMillis());
        failing[0].join(Duration.ofSeconds(20).toMillis());
        assertThat(looking.isAlive() || failing[0].isAlive()).isFalse();
    }

    private static void await(CountDownLatch latch) {
        try {
            latch.await();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    @Test
    void with_no_store_one_instance_is_enough() throws Exception {
        cluster.store.goAway();
        failOn(sick, 4);
        assertThat(cluster.provider.visitors).isEqualTo(3);
        assertThat(sick.breaker.isOpen()).isTrue();
    }

    @Test
    void a_policy_changed_back_to_one_lets_the_next_failure_open_for_all() throws Exception {
        failOn(sick, 4);
        cluster.policy = cluster.policy.toBuilder().quorum(1).build();
        failOn(sound, 1);
        assertThat(cluster.transitions).hasSize(1);
    }
}
