package io.distributedfallback.core;

import io.distributedfallback.BreakerStatus;
import io.distributedfallback.Classification;
import io.distributedfallback.RetryAfter;
import io.distributedfallback.core.Cluster.Instance;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

import static io.distributedfallback.BreakerState.CLOSED;
import static io.distributedfallback.BreakerState.OPEN;
import static org.assertj.core.api.Assertions.assertThat;

/** Field cases of outcomes that come late and of changes that come in the middle of a call. */
class LateOutcomeFieldCasesTest {

    private final Cluster cluster = new Cluster();
    private final Instance one = cluster.instance();
    private final Instance other = cluster.instance();

    @Test
    void a_failure_of_a_call_that_began_before_an_outage_that_is_over_counts_no_more_and_resets_nothing() // B1
            throws Exception {
        String answer = one.call(() -> {
            cluster.open(other);
            recover(other);
            throw new IOException("late");
        });
        assertThat(answer).isEqualTo("fallback");
        BreakerStatus now = cluster.instance().breaker.status();
        assertThat(now.standing().state()).isEqualTo(CLOSED);
        assertThat(one.breaker.status().standing().consecutiveFailures()).isZero();
        assertThat(one.breaker.status().standing().closedAt())
                .isEqualTo(other.breaker.status().standing().closedAt())
                .isPresent();
        assertThat(cluster.transitions).hasSize(2);
    }

    @Test
    void a_late_failure_does_not_take_the_place_of_those_counted_since_the_outage() throws Exception { // B1
        one.call(() -> {
            cluster.open(other);
            recover(other);
            cluster.provider.down();
            other.visit();
            throw new IOException("late");
        });
        assertThat(one.failures()).isEqualTo(1);
        assertThat(cluster.transitions).hasSize(2);
    }

    @Test
    void however_many_hung_until_after_the_outage_they_do_not_open_it_again() throws Exception { // B1
        one.hang(10, () -> {
            cluster.open(other);
            recover(other);
        });
        assertThat(cluster.instance().breaker.status().standing().state()).isEqualTo(CLOSED);
        assertThat(cluster.transitions).hasSize(2);
        cluster.provider.down();
        for (int i = 0; i < cluster.policy.failureThreshold(); i++) {
            one.visit();
        }
        assertThat(cluster.transitions).as("what fails from now on opens it").hasSize(3);
    }

    @Test
    void nor_do_those_that_a_timer_finds_too_slow() throws Exception { // B1
        cluster.policy =
                cluster.policy.toBuilder().slowCall(Duration.ofMinutes(5)).build();
        one.hang(10, () -> {
            cluster.open(other);
            recover(other);
            cluster.time.pass(Duration.ofMinutes(5));
        });
        assertThat(cluster.instance().breaker.status().standing().state()).isEqualTo(CLOSED);
        assertThat(cluster.transitions).hasSize(2);
    }

    @Test
    void nor_alone_where_there_is_no_store() throws Exception { // B1
        one.visit();
        cluster.store.goAway();
        one.hang(10, () -> {
            cluster.open(one);
            recover(one);
        });
        assertThat(one.breaker.isOpen()).isFalse();
    }

    @Test
    void a_success_admitted_while_closed_that_comes_while_open_writes_nothing() throws Exception { // B2
        one.visit();
        int[] writes = new int[1];
        one.call(() -> {
            cluster.open(other);
            writes[0] = cluster.store.writes();
            return "late";
        });
        assertThat(cluster.store.writes()).isEqualTo(writes[0]);
        assertThat(other.breaker.status().standing().state()).isEqualTo(OPEN);
        assertThat(cluster.transitions).hasSize(1);
    }

    @Test
    void six_failures_at_once_at_a_threshold_of_five_open_once() throws Exception { // B3
        cluster.policy = cluster.policy.toBuilder().failureThreshold(5).build();
        failTogether(6);
        assertThat(cluster.transitions).hasSize(1);
        assertThat(one.breaker.status().standing().state()).isEqualTo(OPEN);
        assertThat(one.failures()).isEqualTo(5);
        assertThat(one.breaker.status().recovery().untilNextProbe()).contains(cluster.policy.probeInterval());
    }

    /** All are admitted before the first of them fails. */
    private void failTogether(int calls) throws Exception {
        Instance instance = calls % 2 == 0 ? one : other;
        String answer = instance.call(() -> {
            if (calls > 1) {
                failTogether(calls - 1);
            }
            throw new IOException("HTTP 503");
        });
        assertThat(answer).isEqualTo("fallback");
    }

    @Test
    void a_rejected_call_goes_by_the_reading_that_rejected_it_though_the_breaker_closes_meanwhile() // B5
            throws Exception {
        cluster.open(one);
        FailureRules rules = FailureRules.forAll(Cluster.RAWG, List.of(), new BreakerListener() {});
        String why = one.call(
                cluster.provider::visit,
                failure -> {
                    recover(other);
                    readAgain(one);
                    assertThat(one.breaker.isOpen()).isFalse();
                    return failure.get().getMessage();
                },
                rules);
        assertThat(why).startsWith("breaker rawg is open;");
    }

    @Test
    void a_call_rejected_by_a_pause_says_so_though_the_pause_has_passed_meanwhile() throws Exception { // B5
        FailureRules throttled = FailureRules.forAll(
                Cluster.RAWG,
                List.of(failure -> Optional.of(Classification.throttled(new RetryAfter.In(Duration.ofSeconds(20))))),
                new BreakerListener() {});
        one.call(Cluster::fail, failure -> "fallback", throttled);
        Cluster.Rejection rejection = one.call(
                () -> {
                    throw new AssertionError("not to be called");
                },
                failure -> {
                    cluster.time.passSeconds(21);
                    return (Cluster.Rejection) failure.get();
                },
                throttled);
        assertThat(rejection).hasMessageStartingWith("breaker rawg keeps a pause that the provider asked for");
        assertThat(rejection.retryAfter).isZero();
    }

    @Test
    void an_admitted_call_goes_to_the_primary_though_the_copy_says_open_before_it_ends() throws Exception { // B5
        one.visit();
        String answer = one.call(() -> {
            cluster.open(other);
            readAgain(one);
            assertThat(one.breaker.isOpen()).isTrue();
            return "primary";
        });
        assertThat(answer).isEqualTo("primary");
    }

    private void recover(Instance instance) throws Exception {
        cluster.provider.up();
        for (int i = 0; i < cluster.policy.probeSuccesses(); i++) {
            cluster.passInterval();
            instance.visit();
        }
        assertThat(instance.breaker.status().standing().state()).isEqualTo(CLOSED);
    }

    private void readAgain(Instance instance) throws Exception {
        cluster.time.pass(cluster.timings.maxAge().plusMillis(1));
        instance.breakers.get("another").call(() -> "primary");
    }
}
