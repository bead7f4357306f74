package io.distributedfallback.core;

import io.distributedfallback.core.Cluster.Instance;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/** What an application that stops has still to say, on a server that gives it no threads any more. */
class LastWritesTest {

    private final Cluster cluster = new Cluster();
    private final Instance one = cluster.instance();
    private final Instance other = cluster.instance();

    /** Whether another instance may probe at once after this happened while the first one did. */
    private boolean givesBackWhen(Cluster.Incident stop) throws Exception {
        cluster.open(one);
        cluster.provider.whileAsked = stop;
        cluster.passInterval();
        one.visit();
        cluster.provider.whileAsked = () -> {};
        cluster.time.reject(false);
        cluster.store.comeBack();
        int before = cluster.provider.probes;
        other.visit();
        return cluster.provider.probes > before;
    }

    @Test
    void a_lease_is_given_back_though_the_server_has_taken_its_threads_away() throws Exception {
        assertThat(givesBackWhen(() -> {
                    cluster.time.reject(true);
                    one.breakers.close();
                }))
                .isTrue();
        assertThat(cluster.told).doesNotContain("lost DFB501");
    }

    @Test
    void a_lease_is_given_back_though_the_store_was_lost_for_want_of_a_thread() throws Exception {
        assertThat(givesBackWhen(() -> {
                    cluster.time.reject(true);
                    one.breakers.get("other").call(Cluster::fail, () -> "fallback");
                    assertThat(cluster.told).contains("lost DFB501");
                    one.breakers.close();
                }))
                .isTrue();
    }

    @Test
    void a_store_that_is_away_itself_holds_the_stop_up_for_nothing() throws Exception {
        int[] writes = new int[1];
        assertThat(givesBackWhen(() -> {
                    cluster.store.goAway();
                    one.breakers.get("other").call(Cluster::fail, () -> "fallback");
                    assertThat(cluster.told).contains("lost DFB302");
                    writes[0] = cluster.store.writes();
                    one.breakers.close();
                    writes[0] -= cluster.store.writes();
                }))
                .isFalse();
        assertThat(writes[0]).isZero();
    }

    @Nested
    class Together {

        private final ManualTime time = new ManualTime();
        private final StoreHealth health = new StoreHealth(time, () -> 0, new StoreHealth.Watcher() {});
        private final List<String> written = new ArrayList<>();
        private Duration writeTimeout = Duration.ofSeconds(1);

        private LastWrites last() {
            Duration unused = Duration.ofSeconds(1);
            return new LastWrites(
                    health,
                    new Surroundings(
                            time, time, new BreakerListener() {}, new Timings(unused, unused, unused, writeTimeout)));
        }

        @Test
        void they_take_no_longer_than_one_write_may() {
            LastWrites last = last();
            last.make(() -> {
                time.pass(Duration.ofMillis(600));
                return written.add("first");
            });
            last.make(() -> {
                time.pass(Duration.ofMillis(400));
                return written.add("second");
            });
            last.make(() -> written.add("third"));
            assertThat(written).containsExactly("first", "second");
        }

        @Test
        void one_that_hangs_is_the_last_to_be_waited_for() {
            writeTimeout = Duration.ofMillis(20);
            LastWrites last = last();
            time.hold();
            last.make(() -> written.add("first"));
            assertThat(health.loss().orElseThrow().reason().code()).isEqualTo(ProblemCode.DFB305);
            last.make(() -> written.add("second"));
            assertThat(time.heldTasks()).isEqualTo(1);
        }

        @Test
        void one_that_fails_is_the_last_to_be_tried() {
            LastWrites last = last();
            last.make(() -> {
                throw new IllegalStateException("the pool is closed");
            });
            last.make(() -> written.add("second"));
            assertThat(written).isEmpty();
        }
    }
}
