package io.distributedfallback.limit;

import io.distributedfallback.FallbackLimit.Scope;
import io.distributedfallback.RetryAfter;
import io.distributedfallback.core.BreakerListener;
import io.distributedfallback.core.StoreException;
import io.distributedfallback.core.Surroundings;
import io.distributedfallback.core.Timings;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/** One instance's share of the permits of all, with time that stands still. */
class ClusterPermitsTest {

    private static final long MILLI = 1_000_000;

    private final StoppedTime time = new StoppedTime();
    private final BucketInMemory bucket = new BucketInMemory(time);
    private final List<String> told = new ArrayList<>();
    private final List<Long> paused = new ArrayList<>();
    private final ClusterPermits permits = permits(100, 100);

    private ClusterPermits permits(int perSecond, int burst) {
        Timings timings = new Timings(
                Duration.ofSeconds(2), Duration.ofSeconds(30), Duration.ofMillis(40), Duration.ofMillis(500));
        return new ClusterPermits(
                new LimitSettings("igdb", perSecond, Scope.CLUSTER, burst, 0, Duration.ZERO),
                bucket,
                new Surroundings(time, time, new Told(), timings),
                paused::add);
    }

    private final class Told implements BreakerListener {
        @Override
        public void permitsLost(String limit, int share, StoreException reason) {
            told.add("lost " + share + " " + reason.code());
        }

        @Override
        public void permitsBack(String limit) {
            told.add("back");
        }
    }

    private long taken(int calls) {
        return IntStream.range(0, calls).filter(i -> permits.take(0) == 0).count();
    }

    @Test
    void nothing_is_fetched_but_for_a_call() {
        time.pass(Duration.ofHours(1));
        assertThat(bucket.wanted).isEmpty();
        assertThat(permits.take(0)).isZero();
        assertThat(bucket.wanted).containsExactly(1);
        time.pass(Duration.ofHours(1));
        assertThat(bucket.wanted).containsExactly(1);
    }

    @Test
    void as_much_is_fetched_ahead_as_was_called_for_in_a_tenth_of_a_second() {
        assertThat(taken(10)).isEqualTo(10);
        assertThat(bucket.wanted)
                .as("of an instance that has just begun, blocks grow with its calls")
                .containsExactly(1, 2, 2, 2, 2, 4, 4);
        time.passMillis(100);
        bucket.wanted.clear();
        assertThat(taken(6)).isEqualTo(6);
        assertThat(bucket.wanted)
                .as("what is missing of ten, once half of them are")
                .containsExactly(5);
    }

    @Test
    void a_block_is_of_no_use_after_a_quarter_of_a_second() {
        taken(10);
        time.passMillis(100);
        taken(2);
        bucket.wanted.clear();
        time.passMillis(249);
        assertThat(permits.take(0)).as("of the block").isZero();
        assertThat(bucket.wanted).isEmpty();
        time.passMillis(1);
        bucket.drain();
        assertThat(permits.take(0)).as("gone").isNegative();
    }

    @Test
    void while_all_permits_are_used_the_database_is_left_alone_and_callers_hear_when_to_retry() {
        bucket.take(new LimitSettings("igdb", 100, Scope.CLUSTER, 100, 0, Duration.ZERO), 100);
        bucket.wanted.clear();
        assertThat(taken(1000)).isZero();
        assertThat(bucket.wanted).hasSize(1);
        assertThat(permits.take(0)).isEqualTo(-100 * MILLI);
        time.passMillis(100);
        assertThat(taken(1000)).as("what came into being meanwhile").isEqualTo(10);
    }

    @Test
    void without_an_answer_a_call_waits_no_longer_than_for_a_read_and_the_instance_goes_on_with_one_a_second()
            throws Exception {
        time.holding = true;
        CompletableFuture<Long> first = CompletableFuture.supplyAsync(() -> permits.take(0));
        while (time.heldTasks() == 0) {
            Thread.onSpinWait();
        }
        time.passMillis(500);
        assertThat(first.get(10, TimeUnit.SECONDS)).as("its share").isZero();
        assertThat(permits.take(0)).isEqualTo(-1000 * MILLI);
        assertThat(told).containsExactly("lost 1 DFB305");
        assertThat(time.heldTasks()).as("one fetch").isEqualTo(1);
    }

    @Test
    void while_the_database_is_away_the_instance_goes_on_with_its_share_and_asks_again_now_and_then() {
        for (int tenth = 0; tenth < 30; tenth++) {
            taken(2);
            time.passMillis(100);
        }
        bucket.broken = true;
        time.pass(Duration.ofSeconds(1));
        int begun = 0;
        for (int tenth = 0; tenth < 100; tenth++) {
            begun += (int) taken(50);
            time.passMillis(100);
        }
        assertThat(told).hasSize(1).first().asString().matches("lost (1[0-9]|2[0-9]) DFB302");
        assertThat(begun).as("ten seconds of about twenty").isBetween(100, 260);
        bucket.broken = false;
        time.pass(Duration.ofSeconds(30));
        taken(1);
        assertThat(told).last().isEqualTo("back");
        assertThat(taken(50)).isEqualTo(50);
    }

    @Test
    void without_a_thread_it_is_as_if_the_database_were_away() {
        time.rejecting = true;
        assertThat(permits.take(0)).isZero();
        assertThat(permits.take(0)).isEqualTo(-1000 * MILLI);
        assertThat(told).containsExactly("lost 1 DFB501");
    }

    @Test
    void a_pause_of_another_instance_comes_with_the_next_block() {
        bucket.pause(
                new LimitSettings("igdb", 100, Scope.CLUSTER, 100, 0, Duration.ZERO),
                new RetryAfter.In(Duration.ofSeconds(7)),
                Duration.ofSeconds(7));
        assertThat(permits.take(0)).isEqualTo(-7000 * MILLI);
        assertThat(paused).containsExactly(7000 * MILLI);
    }

    @Test
    void who_may_wait_gets_the_next_permit() throws Exception {
        bucket.take(new LimitSettings("igdb", 100, Scope.CLUSTER, 100, 0, Duration.ZERO), 100);
        assertThat(permits.take(0)).isNegative();
        CompletableFuture<Long> waiting = CompletableFuture.supplyAsync(() -> permits.take(400 * MILLI));
        time.passMillis(150);
        assertThat(waiting.get(10, TimeUnit.SECONDS)).isZero();
        bucket.drain();
        taken(100);
        assertThat(permits.take(20 * MILLI)).as("too long, so at once").isNegative();
    }
}
