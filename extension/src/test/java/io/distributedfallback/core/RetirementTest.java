package io.distributedfallback.core;

import io.distributedfallback.FailureKind;
import io.distributedfallback.core.Cluster.Instance;
import java.time.Duration;
import java.util.Optional;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/** Rows that nobody needs any more (field case C12). */
class RetirementTest {

    private final Cluster cluster = new Cluster();

    @BeforeEach
    void a_thousand_keys_once_failed() {
        for (int i = 0; i < 1_000; i++) {
            cluster.store.record("old " + i, Evidence.of(Failures.one(FailureKind.OUTAGE, "HTTP 503")), cluster.policy);
        }
        cluster.store.record("open", Evidence.of(new Failures(3, FailureKind.OUTAGE, "HTTP 503")), cluster.policy);
    }

    private void failOnce(Instance instance) throws Exception {
        cluster.provider.down();
        instance.visit();
        cluster.provider.up();
    }

    @Test
    void go_with_the_first_write_a_day_later_and_an_open_one_stays() throws Exception {
        cluster.time.pass(Duration.ofHours(24));
        failOnce(cluster.instance());
        assertThat(cluster.store.readAll()).extracting(BreakerRow::name).containsExactlyInAnyOrder("open", "rawg");
    }

    @Test
    void are_looked_for_once_in_ten_minutes() throws Exception {
        cluster.policy = cluster.policy.toBuilder().failureThreshold(100).build();
        Instance instance = cluster.instance();
        failOnce(instance);
        cluster.time.pass(Duration.ofHours(24).minusMinutes(5));
        failOnce(instance);
        cluster.time.pass(Duration.ofMinutes(7));
        failOnce(instance);
        assertThat(cluster.store.readAll()).hasSize(1_002);
        cluster.time.pass(Duration.ofMinutes(5));
        failOnce(instance);
        assertThat(cluster.store.readAll()).hasSize(2);
    }

    @Test
    void healthy_traffic_looks_for_none() throws Exception {
        cluster.time.pass(Duration.ofDays(2));
        Instance instance = cluster.instance();
        int before = cluster.store.writes();
        for (int i = 0; i < 100; i++) {
            instance.visit();
            cluster.time.passSeconds(3);
        }
        assertThat(cluster.store.writes()).isEqualTo(before);
    }

    @Test
    void stay_where_they_are_never_retired() throws Exception {
        cluster.timings = new Timings(
                Duration.ofSeconds(2),
                Duration.ofSeconds(30),
                Duration.ofSeconds(1),
                Duration.ofSeconds(1),
                Optional.empty(),
                Optional.empty());
        cluster.time.pass(Duration.ofDays(400));
        failOnce(cluster.instance());
        assertThat(cluster.store.readAll()).hasSize(1_002);
    }

    @Test
    void are_no_reason_to_take_the_store_for_lost() throws Exception {
        cluster.store.refuseRetirement();
        cluster.time.pass(Duration.ofHours(24));
        Instance instance = cluster.instance();
        failOnce(instance);
        assertThat(cluster.told).containsExactly("trouble DFB304");
        assertThat(instance.failures()).isEqualTo(1);
    }
}
