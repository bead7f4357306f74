package io.distributedfallback.core;

import io.distributedfallback.core.Cluster.Instance;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.DoubleSupplier;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/** When an instance asks a lost store again, and when it takes it for found. */
class StoreHealthTest {

    private final ManualTime time = new ManualTime();

    /** The pauses after failures that follow each other at once. */
    private List<Duration> pauses(DoubleSupplier chance, int failures) {
        StoreHealth health = new StoreHealth(time, chance, new StoreHealth.Watcher() {});
        List<Duration> pauses = new ArrayList<>();
        for (int i = 0; i < failures; i++) {
            long failed = time.nanos();
            health.failed(failed, new StoreException(new Problem(ProblemCode.DFB302, "the store", "", "Wait"), null));
            while (!health.mayAsk()) {
                time.pass(Duration.ofMillis(100));
            }
            pauses.add(Duration.ofNanos(time.nanos() - failed));
        }
        return pauses;
    }

    private static List<Duration> seconds(int... seconds) {
        List<Duration> durations = new ArrayList<>();
        for (int each : seconds) {
            durations.add(Duration.ofSeconds(each));
        }
        return durations;
    }

    @Test
    void a_return_in_the_moment_of_the_loss_is_told_after_it() {
        List<String> told = new ArrayList<>();
        AtomicReference<StoreHealth> health = new AtomicReference<>();
        health.set(new StoreHealth(time, () -> 0, new StoreHealth.Watcher() {
            @Override
            public void lost(StoreException reason) {
                int unused = health.get().answered(time.nanos());
                told.add("lost");
            }

            @Override
            public void back(Duration away, int failures) {
                told.add("back");
            }
        }));

        health.get().failed(time.nanos(), new StoreException(new Problem(ProblemCode.DFB302, "it", "", "Wait"), null));

        assertThat(told).containsExactly("lost", "back");
    }

    private static StoreException trouble(ProblemCode code) {
        return new StoreException(new Problem(code, "the store", "", "Wait"), null);
    }

    @Test
    void what_was_asked_before_the_store_was_found_loses_it_no_more() {
        StoreHealth health = new StoreHealth(time, () -> 0, new StoreHealth.Watcher() {});
        long hanging = time.nanos();
        time.pass(Duration.ofSeconds(1));
        health.failed(time.nanos(), trouble(ProblemCode.DFB305));
        time.pass(Duration.ofSeconds(2));
        int unused = health.answered(time.nanos());
        time.pass(Duration.ofSeconds(2));

        health.failed(hanging, trouble(ProblemCode.DFB306));

        assertThat(health.loss()).isEmpty();
    }

    @Test
    void a_first_read_that_opens_the_way_ends_what_a_write_took_for_a_loss_meanwhile() {
        StoreHealth health = new StoreHealth(time, () -> 0, new StoreHealth.Watcher() {});
        long first = time.nanos();
        time.pass(Duration.ofSeconds(1));
        health.failed(
                time.nanos(),
                new StoreOpeningException(new Problem(ProblemCode.DFB305, "the store", "still opening", "Wait")));
        assertThat(health.loss()).isPresent();
        time.pass(Duration.ofSeconds(1));

        int unused = health.answered(first);

        assertThat(health.loss()).isEmpty();
    }

    @Test
    void an_opening_that_is_not_done_hides_no_reason_and_shortens_no_pause() {
        StoreHealth health = new StoreHealth(time, () -> Math.nextDown(1.0), new StoreHealth.Watcher() {});
        for (int i = 0; i < 6; i++) {
            health.failed(time.nanos(), trouble(ProblemCode.DFB302));
        }
        long opening = time.nanos();
        time.pass(Duration.ofSeconds(30));
        health.failed(
                time.nanos(),
                new StoreOpeningException(new Problem(ProblemCode.DFB305, "the store", "still opening", "Wait")));
        time.pass(Duration.ofSeconds(29));
        assertThat(health.mayAsk()).isFalse();

        health.failed(opening, trouble(ProblemCode.DFB301));

        assertThat(health.loss().orElseThrow().reason()).hasMessageStartingWith("DFB301");
    }

    @Test
    void the_failures_to_hand_over_are_those_of_the_moment_of_the_return() {
        List<Integer> told = new ArrayList<>();
        List<Integer> kept = new ArrayList<>(List.of(3, 0));
        StoreHealth health = new StoreHealth(time, () -> 0, new StoreHealth.Watcher() {
            @Override
            public int toHandOver() {
                return kept.remove(0);
            }

            @Override
            public void back(Duration away, int failures) {
                told.add(failures);
            }
        });
        health.failed(time.nanos(), trouble(ProblemCode.DFB302));

        int unused = health.answered(time.nanos());

        assertThat(told).containsExactly(3);
    }

    @Test
    void a_back_off_is_half_of_it_at_least() {
        assertThat(pauses(() -> 0, 6)).isEqualTo(seconds(1, 2, 4, 8, 15, 15));
    }

    @Test
    void a_back_off_is_the_whole_of_it_at_most() {
        assertThat(pauses(() -> Math.nextDown(1.0), 6)).isEqualTo(seconds(2, 4, 8, 16, 30, 30));
    }

    @Test
    void an_instance_that_is_slow_to_open_the_store_asks_again_soon_however_often() { // C1
        StoreHealth health = new StoreHealth(time, () -> Math.nextDown(1.0), new StoreHealth.Watcher() {});
        for (int i = 0; i < 20; i++) {
            health.failed(
                    time.nanos(),
                    new StoreOpeningException(new Problem(ProblemCode.DFB305, "the store", "still opening", "Wait")));
            time.pass(Duration.ofSeconds(2));
            assertThat(health.mayAsk()).as("after failure %d", i).isTrue();
        }
    }

    @Test
    void a_thousand_instances_do_not_come_back_at_the_same_moment() {
        long seed = System.nanoTime();
        Random random = new Random(seed);
        int[] perSecond = new int[16];
        for (int i = 0; i < 1000; i++) {
            List<Duration> pauses = pauses(random::nextDouble, 5);
            perSecond[(int) pauses.get(4).minusSeconds(15).toSeconds()]++;
        }
        for (int second = 0; second < 15; second++) {
            assertThat(perSecond[second]).as("seed %d, second %d", seed, second).isBetween(20, 130);
        }
    }

    @Test
    void a_store_that_can_be_read_and_not_written_is_lost_once_and_found_once() throws Exception { // C8, C14
        Cluster cluster = new Cluster();
        Instance one = cluster.instance();
        one.visit();
        cluster.store.refuseWrites();
        cluster.open(one);
        int visitors = cluster.provider.visitors;
        for (int i = 0; i < 100; i++) {
            cluster.time.passSeconds(3);
            assertThat(one.visit()).isEqualTo("fallback");
        }
        assertThat(cluster.told).filteredOn(line -> !line.startsWith("FAIL")).containsExactly("lost DFB304");
        assertThat(cluster.provider.visitors).isEqualTo(visitors);
        cluster.store.takeWrites();
        for (int i = 0; i < 12; i++) {
            cluster.time.passSeconds(3);
            assertThat(one.visit()).isEqualTo("fallback");
        }
        assertThat(cluster.told).filteredOn(line -> !line.startsWith("FAIL")).containsExactly("lost DFB304", "back");
        assertThat(cluster.store.readAll().get(0).isOpen()).isTrue();
    }

    @Test
    void a_store_that_is_there_is_not_asked_whether_it_can_be_written() throws Exception {
        Cluster cluster = new Cluster();
        Instance one = cluster.instance();
        cluster.store.refuseWrites();
        one.visit();
        cluster.time.passSeconds(3);
        one.visit();
        cluster.time.passSeconds(3);
        one.visit();
        assertThat(cluster.told).isEmpty();
    }
}
