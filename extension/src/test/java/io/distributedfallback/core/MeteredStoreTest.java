package io.distributedfallback.core;

import io.distributedfallback.FailureKind;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

class MeteredStoreTest {

    private final Cluster cluster = new Cluster();
    private final List<String> measured = new ArrayList<>();
    private final BreakerStore store = new MeteredStore(cluster.store, cluster.time, new StoreMeter() {
        @Override
        public void measured(Operation operation, long nanos, boolean failed) {
            measured.add(operation + " " + Duration.ofNanos(nanos).toMillis() + (failed ? " failed" : ""));
        }

        @Override
        public void carried(long failures) {
            measured.add("carried " + failures);
        }
    });

    @Test
    void measures_reads_and_writes_and_counts_the_failures_that_travelled() {
        assertThat(store.readAll()).isEmpty();
        store.record(
                Cluster.RAWG,
                Evidence.of(new Failures(7, FailureKind.OUTAGE, "HTTP 503")).then(Evidence.SUCCESS),
                cluster.policy);
        store.record(Cluster.RAWG, Evidence.SUCCESS, cluster.policy);
        store.acquireProbe(Cluster.RAWG, cluster.policy);
        store.reportProbe(Cluster.RAWG, 1, ProbeVerdict.PASS, cluster.policy);
        store.retire(Duration.ofDays(1));
        assertThat(measured)
                .containsExactly("READ 0", "RECORD 0", "carried 7", "RECORD 0", "LEASE 0", "VERDICT 0", "OTHER 0");
    }

    @Test
    void measures_how_long_a_failing_store_took_and_lets_the_failure_through() {
        cluster.store.goAway();
        assertThatThrownBy(store::readAll).isInstanceOf(StoreException.class);
        assertThat(measured).containsExactly("READ 0 failed");
    }
}
