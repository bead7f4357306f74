package io.distributedfallback.it.cluster;

import io.distributedfallback.it.harness.Http;
import io.distributedfallback.it.harness.Provider.Script;
import jakarta.transaction.Status;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/** The evidence of a failure outlives the business transaction. */
@ClusterTest
class TransactionIT {

    @Test
    void a_rollback_undoes_the_work_and_leaves_the_failure_counted(Cluster cluster) throws Exception {
        cluster.provider.tell("orders", Script.status(500));

        String answer = Http.get(cluster.a.uri("/orders/lost")).body();

        assertThat(answer).isEqualTo("fallback in transaction status " + Status.STATUS_NO_TRANSACTION);
        assertThat(orders(cluster, "lost")).isZero();
        assertThat(cluster.column("orders", "consecutive_failures", Integer.class))
                .isEqualTo(1);

        cluster.provider.tell("orders", Script.HEALTHY);
        assertThat(Http.get(cluster.a.uri("/orders/kept")).body()).isEqualTo("primary");
        assertThat(orders(cluster, "kept")).isEqualTo(1);
        assertThat(cluster.column("orders", "consecutive_failures", Integer.class))
                .as("a success resets the count")
                .isZero();
    }

    private static long orders(Cluster cluster, String id) {
        return cluster.query(Long.class, "SELECT count(*) FROM orders WHERE id = ?", id);
    }
}
