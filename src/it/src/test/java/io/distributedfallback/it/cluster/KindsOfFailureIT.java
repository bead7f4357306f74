package io.distributedfallback.it.cluster;

import io.distributedfallback.it.harness.LibertyServer;
import io.distributedfallback.it.harness.Provider.Script;
import java.time.Duration;
import java.time.Instant;
import org.junit.jupiter.api.Test;

import static io.distributedfallback.it.harness.Eventually.until;
import static org.assertj.core.api.Assertions.assertThat;

/** What a provider says decides what follows, on every instance. */
@ClusterTest
class KindsOfFailureIT {

    @Test
    void a_provider_that_refuses_us_never_opens_the_breaker_and_the_fallback_answers(Cluster cluster) throws Exception {
        cluster.provider.tell("refused", Script.status(401));
        for (int i = 0; i < 10; i++) {
            for (LibertyServer server : cluster.both()) {
                assertThat(cluster.ask(server, "refused")).isEqualTo("fallback");
            }
        }
        assertThat(cluster.provider.visitors("refused")).isEqualTo(20);
        assertThat(cluster.isOpen("refused")).isFalse();
        assertThat(cluster.history("refused")).isEmpty();
        assertThat(cluster.a.log()).contains("DFB401");
    }

    @Test
    void the_pause_that_a_provider_asks_one_instance_for_is_kept_by_the_other_too(Cluster cluster) throws Exception {
        for (LibertyServer server : cluster.both()) {
            assertThat(cluster.ask(server, "throttled")).isEqualTo("primary");
        }
        cluster.provider.tell("throttled", Script.status(429).retryAfter("4"));
        cluster.provider.forget("throttled");
        assertThat(cluster.ask(cluster.a, "throttled")).isEqualTo("fallback");
        Instant end = cluster.moment("throttled", "cooldown_until");
        Instant asked = cluster.provider.requests("throttled", "visitor").get(0).at();
        assertThat(end).isBetween(asked.plusSeconds(4), asked.plusSeconds(6));

        cluster.provider.tell("throttled", Script.HEALTHY);
        until(
                "copies from before the pause are too old",
                Cluster.PATIENCE,
                () -> cluster.column("throttled", "updated_at < now() - interval '1100 ms'", Boolean.class));
        until("both are back", Cluster.PATIENCE, () -> {
            boolean back = true;
            for (LibertyServer server : cluster.both()) {
                back &= cluster.ask(server, "throttled").equals("primary");
            }
            return back;
        });

        Instant next = cluster.provider.requests("throttled", "visitor").get(1).at();
        assertThat(next).isBetween(end.minus(CLOCK_GRAIN), end.plusSeconds(3));
        assertThat(cluster.history("throttled")).as("throttling is no outage").isEmpty();
    }

    /** An instance counts the rest of a pause down on its own clock, in whole milliseconds. */
    private static final Duration CLOCK_GRAIN = Duration.ofMillis(20);
}
