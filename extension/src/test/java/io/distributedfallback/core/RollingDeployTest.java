package io.distributedfallback.core;

import io.distributedfallback.core.Cluster.Instance;
import java.util.List;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

import static io.distributedfallback.BreakerState.CLOSED;
import static io.distributedfallback.BreakerState.OPEN;
import static org.assertj.core.api.Assertions.assertThat;

/** Two deployments, whose policies differ, at work on one breaker. */
class RollingDeployTest {

    private final Cluster cluster = new Cluster();
    private final AtomicReference<Policy> oldPolicy = new AtomicReference<>(opensAt(5));
    private final Instance old = cluster.instance(oldPolicy::get);
    private final Instance young = cluster.instance(() -> opensAt(3));

    @BeforeEach
    void the_provider_is_down() {
        cluster.provider.down();
    }

    @Test
    void a_failure_is_held_against_the_threshold_of_the_instance_that_sees_it() throws Exception {
        for (int i = 0; i < 3; i++) {
            old.visit();
        }
        assertThat(old.breaker.status().standing().state()).isEqualTo(CLOSED);
        young.visit();
        assertThat(young.breaker.status().standing().state()).isEqualTo(OPEN);
        assertThat(cluster.transitions).hasSize(1);
        assertThat(young.failures()).isEqualTo(4);
    }

    @Test
    void an_instance_that_reads_a_row_counted_against_another_threshold_says_so_once() throws Exception {
        old.visit();
        for (int i = 0; i < 20; i++) {
            young.breaker.status();
            young.call(() -> "primary elsewhere");
            cluster.time.passSeconds(3);
            cluster.time.endRequest();
            old.visit();
        }
        assertThat(words()).containsOnlyOnce("threshold 3 here, 5 there");
    }

    @Test
    void each_of_the_two_says_so() throws Exception {
        young.visit();
        old.visit();
        old.visit();
        cluster.time.passSeconds(40);
        young.visit();
        cluster.time.passSeconds(40);
        old.visit();
        assertThat(words()).containsExactlyInAnyOrder("threshold 3 here, 5 there", "threshold 5 here, 3 there");
    }

    @Test
    void another_value_is_another_word() throws Exception {
        old.visit();
        cluster.time.passSeconds(40);
        young.breaker.call(() -> "primary", () -> "fallback");
        oldPolicy.set(opensAt(9));
        old.visit();
        cluster.time.passSeconds(40);
        young.breaker.call(() -> "primary", () -> "fallback");
        assertThat(words()).containsExactly("threshold 3 here, 5 there", "threshold 3 here, 9 there");
    }

    @Test
    void an_instance_whose_own_configuration_has_changed_does_not_take_itself_for_another() throws Exception {
        old.visit();
        oldPolicy.set(opensAt(9));
        for (int i = 0; i < 3; i++) {
            cluster.time.passSeconds(40);
            old.visit();
        }
        assertThat(words()).isEmpty();
    }

    @Test
    void instances_that_agree_say_nothing() throws Exception {
        Instance twin = cluster.instance(() -> opensAt(3));
        young.visit();
        twin.visit();
        young.visit();
        cluster.time.passSeconds(40);
        twin.visit();
        assertThat(words()).isEmpty();
    }

    private List<String> words() {
        return cluster.told.stream()
                .filter(line -> line.startsWith("threshold"))
                .toList();
    }

    private static Policy opensAt(int threshold) {
        return Policy.DEFAULT.toBuilder().failureThreshold(threshold).build();
    }
}
