package io.distributedfallback.it.cluster;

import io.distributedfallback.it.harness.Provider.Script;
import io.distributedfallback.it.harness.Reply;
import java.time.Duration;
import java.time.Instant;
import org.junit.jupiter.api.Test;

import static io.distributedfallback.it.harness.Eventually.until;
import static org.assertj.core.api.Assertions.assertThat;

/** Nobody waits for a probe. */
@ClusterTest
class ProbeAfterRequestIT {

    private static final String BREAKER = "deferred";
    private static final Duration PROBE_TAKES = Duration.ofSeconds(3);

    @Test
    void the_visitor_whose_request_woke_a_slow_probe_does_not_wait_for_it(Cluster cluster) throws Exception {
        cluster.open(BREAKER);
        cluster.awaitDueProbe(BREAKER);
        cluster.awaitOldCopies(BREAKER);
        cluster.provider.tell(BREAKER, Script.HEALTHY.after(PROBE_TAKES));
        cluster.provider.forget(BREAKER);

        Reply reply = cluster.call(cluster.a, BREAKER);
        Instant answered = Instant.now();

        assertThat(reply.body()).isEqualTo("fallback");
        assertThat(reply.took()).isLessThan(Duration.ofMillis(1500));
        until(
                "the probe has passed",
                Cluster.PATIENCE,
                () -> cluster.column(BREAKER, "consecutive_probe_successes", Integer.class) == 1);
        Instant asked = cluster.provider.requests(BREAKER, "probe").get(0).at();
        assertThat(asked.plus(PROBE_TAKES)).as("the probe was still under way").isAfter(answered);
        cluster.recover(BREAKER);
    }
}
