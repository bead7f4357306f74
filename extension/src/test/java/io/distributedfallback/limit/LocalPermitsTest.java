package io.distributedfallback.limit;

import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/** The permits of one instance. */
class LocalPermitsTest {

    private final StoppedTime time = new StoppedTime();

    private long taken(LocalPermits permits, int calls) {
        return LongStream.range(0, calls).filter(i -> permits.take(0) == 0).count();
    }

    @Test
    void after_a_quiet_time_a_burst_may_begin_and_then_as_many_as_come_into_being() {
        LocalPermits permits = new LocalPermits(time, 100, 10);
        assertThat(taken(permits, 50)).isEqualTo(10);
        time.passMillis(35);
        assertThat(taken(permits, 50)).isEqualTo(3);
        time.passMillis(5);
        assertThat(taken(permits, 50)).isEqualTo(1);
        time.pass(Duration.ofHours(5));
        assertThat(taken(permits, 50)).isEqualTo(10);
    }

    @Test
    void no_window_of_any_length_has_more_than_the_burst_and_what_came_into_being() {
        LocalPermits permits = new LocalPermits(time, 7, 3);
        long start = time.nanos();
        long[] begun = LongStream.range(0, 5_000)
                .filter(i -> {
                    time.pass(Duration.ofNanos(i % 97 * 100_000));
                    return permits.take(0) == 0;
                })
                .map(i -> time.nanos() - start)
                .toArray();
        assertThat(begun.length).isGreaterThan(100);
        for (int from = 0; from < begun.length; from++) {
            for (int to = from; to < begun.length; to++) {
                double seconds = (begun[to] - begun[from]) / 1e9;
                assertThat((double) (to - from + 1)).isLessThanOrEqualTo(3 + 7 * seconds + 1e-9);
            }
        }
    }

    @Test
    void who_may_wait_has_a_turn_after_those_who_came_before_or_is_told_at_once_that_it_takes_too_long() {
        LocalPermits permits = new LocalPermits(time, 10, 1);
        long wait = Duration.ofMillis(250).toNanos();
        assertThat(permits.take(wait)).isZero();
        assertThat(permits.take(wait)).isEqualTo(100_000_000);
        assertThat(permits.take(wait)).isEqualTo(200_000_000);
        assertThat(permits.take(wait)).isEqualTo(-300_000_000);
        assertThat(permits.take(wait)).as("nothing was taken").isEqualTo(-300_000_000);
        time.passMillis(200);
        assertThat(permits.take(wait)).isEqualTo(100_000_000);
    }

    @Test
    void eight_threads_together_get_no_more_than_one_would_and_no_less() throws Exception {
        int perSecond = 20_000;
        // So much that it is never full again, whenever the machine finds time for the threads.
        int burst = 20_000;
        AtomicLong taken = new AtomicLong();
        CountDownLatch ready = new CountDownLatch(8);
        ExecutorService threads = Executors.newFixedThreadPool(8);
        try {
            long start = System.nanoTime();
            LocalPermits permits = new LocalPermits(System::nanoTime, perSecond, burst);
            long end = start + Duration.ofMillis(400).toNanos();
            for (int i = 0; i < 8; i++) {
                threads.execute(() -> {
                    ready.countDown();
                    while (System.nanoTime() - end < 0) {
                        if (permits.take(0) == 0) {
                            taken.incrementAndGet();
                        }
                    }
                });
            }
            threads.shutdown();
            assertThat(threads.awaitTermination(10, TimeUnit.SECONDS)).isTrue();
            double seconds = (System.nanoTime() - start) / 1e9;
            assertThat((double) taken.get())
                    .isLessThanOrEqualTo(burst + perSecond * seconds)
                    .isGreaterThan(burst + perSecond * 0.4 * 0.5);
        } finally {
            threads.shutdownNow();
        }
    }
}
