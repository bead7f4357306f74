package io.distributedfallback.it.cluster;

import io.distributedfallback.it.harness.LibertyServer;
import io.distributedfallback.it.harness.Provider.Request;
import io.distributedfallback.it.harness.Provider.Script;
import java.time.Instant;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;

import static io.distributedfallback.it.harness.Eventually.until;
import static org.assertj.core.api.Assertions.assertThat;

/** An instance starts in the middle of an outage, and another one is killed. */
@ClusterTest
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class InstancesComeAndGoIT {

    private Instant openedAt;
    private LibertyServer late;
    private LibertyServer mortal;

    @BeforeAll
    void start_two_more_instances_while_a_breaker_is_open(Cluster cluster) throws Exception {
        cluster.open("late");
        openedAt = cluster.moment("late", "opened_at");
        late = cluster.launch("late");
        mortal = cluster.launch("mortal");
        late.awaitReady();
        mortal.awaitReady();
    }

    @AfterAll
    void stop_them() {
        if (late != null) {
            late.close();
        }
        if (mortal != null) {
            mortal.close();
        }
    }

    @Test
    void an_instance_that_starts_while_the_breaker_is_open_does_not_try_the_provider(Cluster cluster) throws Exception {
        for (int i = 0; i < 5; i++) {
            assertThat(cluster.ask(late, "late")).isEqualTo("fallback");
        }
        assertThat(cluster.provider.requests("late", "visitor"))
                .extracting(Request::instance)
                .doesNotContain(late.name());
        assertThat(cluster.isOpen("late")).isTrue();
        assertThat(cluster.moment("late", "opened_at")).isEqualTo(openedAt);
    }

    @Test
    void the_lease_of_a_killed_prober_is_taken_over_when_it_ends_and_not_before(Cluster cluster) throws Exception {
        cluster.open("lease");
        cluster.provider.tell("lease", Script.HANGING);
        cluster.awaitDueProbe("lease");
        cluster.provider.forget("lease");
        until("the instance probes", Cluster.PATIENCE, () -> {
            assertThat(cluster.ask(mortal, "lease")).isEqualTo("fallback");
            return !cluster.provider.requests("lease", "probe").isEmpty();
        });

        mortal.kill();
        Instant leaseEnds = cluster.moment("lease", "probe_lease_until");
        long token = cluster.column("lease", "probe_token", Long.class);
        assertThat(leaseEnds).as("killed while it held the lease").isAfter(Instant.now());
        cluster.provider.tell("lease", Script.HEALTHY);
        until("another instance probes", Cluster.PATIENCE, () -> {
            for (LibertyServer server : cluster.both()) {
                assertThat(cluster.ask(server, "lease")).isEqualTo("fallback");
            }
            return cluster.provider.requests("lease", "probe").size() > 1;
        });

        List<Request> probes = cluster.provider.requests("lease", "probe");
        assertThat(probes.get(0).instance()).isEqualTo(mortal.name());
        assertThat(probes.get(1).instance()).isIn(cluster.a.name(), cluster.b.name());
        assertThat(probes.get(1).at()).isBetween(leaseEnds, leaseEnds.plusSeconds(3));
        assertThat(cluster.column("lease", "probe_token", Long.class)).isGreaterThan(token);
        cluster.recover("lease");
    }
}
