package io.distributedfallback.it.cluster;

import io.distributedfallback.it.harness.LibertyServer;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/** A provider that works costs the database nothing to store. */
@ClusterTest
class HealthyTrafficIT {

    /** PostgreSQL numbers a transaction only when it writes. */
    private static final String WRITING_TRANSACTIONS = "SELECT pg_snapshot_xmax(pg_current_snapshot())::text::bigint";

    @Test
    void healthy_calls_write_nothing_at_all(Cluster cluster) throws Exception {
        call_both(cluster, 5);
        long before = cluster.query(Long.class, WRITING_TRANSACTIONS);

        call_both(cluster, 200);

        assertThat(cluster.query(Long.class, WRITING_TRANSACTIONS)).isEqualTo(before);
        assertThat(cluster.query(Long.class, "SELECT count(*) FROM distributed_breaker WHERE name = 'healthy'"))
                .isZero();
    }

    private static void call_both(Cluster cluster, int times) throws Exception {
        for (int i = 0; i < times; i++) {
            for (LibertyServer server : cluster.both()) {
                assertThat(cluster.ask(server, "healthy")).isEqualTo("primary");
            }
        }
    }
}
