package io.distributedfallback.it.cluster;

import io.distributedfallback.it.harness.LibertyServer;
import io.distributedfallback.it.harness.Provider.Request;
import io.distributedfallback.it.harness.Provider.Script;
import io.distributedfallback.it.harness.Reply;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import org.junit.jupiter.api.Test;

import static io.distributedfallback.it.harness.Eventually.eventually;
import static org.assertj.core.api.Assertions.assertThat;

/** A provider dies and comes back. */
@ClusterTest
class OutageIT {

    private static final String BREAKER = "outage";

    @Test
    void both_instances_leave_a_dead_provider_after_three_failures_in_all(Cluster cluster) throws Exception {
        cluster.recover(BREAKER);
        cluster.provider.tell(BREAKER, Script.HANGING);
        cluster.provider.forget(BREAKER);

        for (LibertyServer server : List.of(cluster.a, cluster.b, cluster.a)) {
            assertThat(cluster.ask(server, BREAKER)).isEqualTo("fallback");
        }
        assertThat(cluster.isOpen(BREAKER)).isTrue();
        assertThat(cluster.column(BREAKER, "consecutive_failures", Integer.class))
                .isEqualTo(3);

        cluster.awaitOldCopies(BREAKER);
        for (int i = 0; i < 10; i++) {
            for (LibertyServer server : cluster.both()) {
                Reply reply = cluster.call(server, BREAKER);
                assertThat(reply.body()).isEqualTo("fallback");
                assertThat(reply.took()).as("no wait for the provider").isLessThan(Duration.ofMillis(1500));
            }
        }
        assertThat(cluster.provider.visitors(BREAKER)).isEqualTo(3);
        cluster.recover(BREAKER);
    }

    @Test
    void a_refused_connection_is_an_outage_too(Cluster cluster) throws Exception {
        cluster.recover(BREAKER);
        cluster.provider.close();
        try {
            for (LibertyServer server : List.of(cluster.a, cluster.b, cluster.a)) {
                assertThat(cluster.ask(server, BREAKER)).isEqualTo("fallback");
            }
            assertThat(cluster.isOpen(BREAKER)).isTrue();
        } finally {
            cluster.provider.open();
        }
        cluster.recover(BREAKER);
    }

    @Test
    void three_probes_bring_both_instances_back_and_no_visitor_is_the_test(Cluster cluster) throws Exception {
        cluster.recover(BREAKER);
        List<String> historyBefore = cluster.history(BREAKER);
        List<String> eventsBefore = cluster.events(BREAKER);
        cluster.open(BREAKER);
        cluster.awaitOldCopies(BREAKER);
        cluster.provider.forget(BREAKER);

        cluster.recover(BREAKER);

        List<Request> probes = cluster.provider.requests(BREAKER, "probe").stream()
                .filter(request -> request.script().equals(Script.HEALTHY))
                .toList();
        assertThat(probes).hasSize(3);
        for (int i = 1; i < probes.size(); i++) {
            assertThat(Duration.between(probes.get(i - 1).at(), probes.get(i).at()))
                    .isGreaterThanOrEqualTo(Cluster.PROBE_INTERVAL)
                    .isLessThan(Cluster.PROBE_INTERVAL.plusSeconds(3));
        }
        Instant firstVisitor =
                cluster.provider.requests(BREAKER, "visitor").get(0).at();
        assertThat(firstVisitor).isAfter(probes.get(2).at());

        List<String> history = cluster.history(BREAKER);
        assertThat(history.subList(historyBefore.size(), history.size())).containsExactly("CLOSED>OPEN", "OPEN>CLOSED");
        eventually(Cluster.PATIENCE, () -> assertThat(cluster.events(BREAKER)).hasSize(eventsBefore.size() + 2));
        List<String> events = cluster.events(BREAKER);
        for (String event : eventsBefore) {
            events.remove(event);
        }
        assertThat(events).containsExactlyInAnyOrder("CLOSED>OPEN", "OPEN>CLOSED");
    }
}
