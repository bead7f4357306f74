package io.distributedfallback.it.cluster;

import io.distributedfallback.it.harness.Http;
import io.distributedfallback.it.harness.LibertyServer;
import io.distributedfallback.it.harness.Provider.Request;
import io.distributedfallback.it.harness.Provider.Script;
import io.distributedfallback.it.harness.Reply;
import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.MethodOrderer;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.TestMethodOrder;

import static io.distributedfallback.it.harness.Eventually.until;
import static org.assertj.core.api.Assertions.assertThat;

/** An instance starts in the middle of an outage, others are killed, put to sleep and stopped. */
@ClusterTest
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
@TestMethodOrder(MethodOrderer.OrderAnnotation.class)
class InstancesComeAndGoIT {

    private Instant openedAt;
    private LibertyServer late;
    private LibertyServer mortal;
    private LibertyServer falling;

    @BeforeAll
    void start_three_more_instances_while_a_breaker_is_open(Cluster cluster) throws Exception {
        cluster.open("late");
        openedAt = cluster.moment("late", "opened_at");
        late = cluster.launch("late");
        mortal = cluster.launch("mortal");
        falling = cluster.launch("falling");
        late.awaitReady();
        mortal.awaitReady();
        falling.awaitReady();
        until(
                "the late one has read, without a call",
                Cluster.PATIENCE,
                () -> cluster.status(late, "late").startsWith("OPEN"));
    }

    @AfterAll
    void stop_them() {
        for (LibertyServer server : Arrays.asList(late, mortal, falling)) {
            if (server != null) {
                server.close();
            }
        }
    }

    @Test
    @Order(1)
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
    @Order(2)
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

    @Test
    @Order(3)
    void a_server_that_sleeps_beyond_its_lease_changes_nothing_when_it_wakes(Cluster cluster) throws Exception {
        hold_the_lease(cluster, late);
        String slept;
        late.freeze();
        try {
            // The answer that it sleeps through is a pass.
            cluster.provider.release("lease");
            cluster.provider.tell("lease", "probe", Script.status(503));
            until("another instance has probed", Cluster.PATIENCE, () -> {
                for (LibertyServer server : cluster.both()) {
                    assertThat(cluster.ask(server, "lease")).isEqualTo("fallback");
                }
                return cluster.provider.requests("lease", "probe").size() > 1
                        && cluster.moment("lease", "probe_lease_until") == null;
            });
            slept = row(cluster);
        } finally {
            late.thaw();
        }

        until(
                "it is awake",
                Cluster.PATIENCE,
                () -> cluster.ask(late, "healthy").equals("primary"));
        long end = System.nanoTime() + Duration.ofSeconds(2).toNanos();
        while (System.nanoTime() - end < 0) {
            assertThat(row(cluster)).as("what the sleeper found out").isEqualTo(slept);
        }
        assertThat(cluster.isOpen("lease")).isTrue();
        cluster.recover("lease");
        assertThat(cluster.history("lease")).endsWith("OPEN>CLOSED", "CLOSED>OPEN", "OPEN>CLOSED");
    }

    private static String row(Cluster cluster) {
        return cluster.column(
                "lease",
                "concat_ws(' ', state, consecutive_probe_successes, probe_token, probe_lease_until, next_probe_at)",
                String.class);
    }

    /** The breaker is open, and nobody but this instance is asked until its probe hangs. */
    private static void hold_the_lease(Cluster cluster, LibertyServer holder) throws Exception {
        cluster.open("lease");
        cluster.provider.tell("lease", "probe", Script.HANGING);
        cluster.awaitDueProbe("lease");
        cluster.provider.forget("lease");
        until(holder.name() + " probes", Cluster.PATIENCE, () -> {
            assertThat(cluster.ask(holder, "lease")).isEqualTo("fallback");
            return !cluster.provider.requests("lease", "probe").isEmpty();
        });
        assertThat(cluster.provider.requests("lease", "probe").get(0).instance())
                .isEqualTo(holder.name());
    }

    @Test
    @Order(4)
    void a_server_killed_in_a_storm_of_failures_leaves_one_opening_and_no_failed_call(Cluster cluster)
            throws Exception {
        cluster.recover("late");
        int before = cluster.history("late").size();
        // So slow that all of them are under way when it dies.
        cluster.provider.tell("late", Script.status(503).after(Duration.ofMillis(400)));
        cluster.provider.forget("late");
        ExecutorService visitors = Executors.newFixedThreadPool(12);
        try {
            List<Future<?>> calls = new ArrayList<>();
            for (int i = 0; i < 4; i++) {
                visitors.execute(() -> visitTheFalling(cluster));
                for (LibertyServer server : cluster.both()) {
                    calls.add(visitors.submit(() -> visitUntilOpen(cluster, server)));
                }
            }
            until(
                    "its calls are under way",
                    Cluster.PATIENCE,
                    () -> cluster.provider.requests("late", "visitor").stream()
                            .anyMatch(request -> request.instance().equals(falling.name())));
            falling.kill();
            for (Future<?> call : calls) {
                call.get();
            }
        } finally {
            visitors.shutdownNow();
        }

        List<String> history = cluster.history("late");
        assertThat(history.subList(before, history.size())).containsExactly("CLOSED>OPEN");
        cluster.recover("late");
    }

    @Test
    @Order(5)
    void a_server_that_is_stopped_gives_its_lease_back(Cluster cluster) throws Exception {
        hold_the_lease(cluster, late);
        assertThat(cluster.moment("lease", "probe_lease_until")).isNotNull();

        late.close();

        assertThat(cluster.moment("lease", "probe_lease_until")).isNull();
        assertThat(late.log().lines().filter(line -> line.contains("CWWKE0036I")))
                .as("it stopped in good order")
                .hasSize(1);
        assertThat(late.log().lines().filter(line -> line.contains("DFB501")))
                .as("and does not complain that it has no threads any more")
                .isEmpty();
        cluster.recover("lease");
    }

    private void visitTheFalling(Cluster cluster) {
        try {
            while (!cluster.isOpen("late")) {
                Reply unused = Http.get(falling.uri("/call/late"));
            }
        } catch (IOException died) {
            // As it is meant to.
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private static Void visitUntilOpen(Cluster cluster, LibertyServer server) throws Exception {
        do {
            assertThat(cluster.ask(server, "late")).isEqualTo("fallback");
        } while (!cluster.isOpen("late"));
        return null;
    }
}
