package io.distributedfallback.it.cluster;

import io.distributedfallback.it.harness.LibertyServer;
import io.distributedfallback.it.harness.Provider.Script;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.function.BooleanSupplier;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/** A breaker without a probe recovers by real calls, one at a time in the whole cluster. */
@ClusterTest
class TrialIT {

    private static final String BREAKER = "trial";
    private static final int VISITORS = 8;

    @Test
    void at_most_one_visitor_meets_a_provider_that_still_hangs(Cluster cluster) throws Exception {
        cluster.open(BREAKER);
        cluster.awaitOldCopies(BREAKER);
        // Slower than anything but the client's time-out, so that a second call would overlap.
        cluster.provider.tell(BREAKER, Script.status(503).after(Duration.ofMillis(1500)));
        cluster.provider.forget(BREAKER);

        visitUntil(cluster, () -> cluster.provider.visitors(BREAKER) >= 2);

        assertThat(cluster.provider.mostInFlight(BREAKER)).isEqualTo(1);
        assertThat(cluster.isOpen(BREAKER)).isTrue();
        cluster.recover(BREAKER);
    }

    @Test
    void one_call_that_succeeds_closes_the_breaker(Cluster cluster) throws Exception {
        cluster.open(BREAKER);
        cluster.awaitOldCopies(BREAKER);
        cluster.provider.forget(BREAKER);

        cluster.recover(BREAKER);

        Instant closedAt = cluster.moment(BREAKER, "closed_at");
        assertThat(cluster.provider.requests(BREAKER, "visitor"))
                .filteredOn(request -> request.script().equals(Script.HEALTHY))
                .filteredOn(request -> request.at().isBefore(closedAt))
                .hasSize(1);
    }

    /** Keeps several visitors calling both instances at once. */
    private static void visitUntil(Cluster cluster, BooleanSupplier enough) throws Exception {
        ExecutorService visitors = Executors.newFixedThreadPool(VISITORS);
        try {
            List<Future<?>> visits = new ArrayList<>();
            long end = System.nanoTime() + Cluster.PATIENCE.toNanos();
            for (int i = 0; i < VISITORS; i++) {
                LibertyServer server = cluster.both().get(i % 2);
                visits.add(visitors.submit(() -> {
                    while (!enough.getAsBoolean() && System.nanoTime() - end < 0) {
                        assertThat(cluster.ask(server, BREAKER)).isEqualTo("fallback");
                    }
                    return null;
                }));
            }
            for (Future<?> visit : visits) {
                visit.get();
            }
            assertThat(enough.getAsBoolean()).as("enough happened in time").isTrue();
        } finally {
            visitors.shutdownNow();
        }
    }
}
