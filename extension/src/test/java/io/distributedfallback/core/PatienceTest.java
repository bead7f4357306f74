package io.distributedfallback.core;

import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

/** An instance that stood still while it waited for the store does not take that for the store's fault. */
class PatienceTest {

    private static final Duration SECOND = Duration.ofSeconds(1);

    private final ManualTime time = new ManualTime();
    private int overdue;

    /** Each wait for it ends in vain after that time; the last one does not. */
    private final class Late extends CompletableFuture<Void> {

        private final Duration[] waits;
        private int waited;

        Late(Duration... waits) {
            this.waits = waits;
        }

        @Override
        public Void get(long timeout, TimeUnit unit) throws TimeoutException {
            if (waited == waits.length) {
                return null;
            }
            time.pass(waits[waited++]);
            throw new TimeoutException();
        }
    }

    private Written written(CompletableFuture<Void> landed) {
        return new Written(landed, SECOND, time, () -> overdue++);
    }

    @Test
    void who_stood_still_waits_once_more() {
        written(new Late(Duration.ofSeconds(40))).await();
        assertThat(overdue).isZero();
    }

    @Test
    void who_was_a_little_late_has_waited_in_vain() {
        written(new Late(Duration.ofMillis(1_900))).await();
        assertThat(overdue).isEqualTo(1);
    }

    @Test
    void nobody_waits_a_third_time() {
        Late never = new Late(Duration.ofSeconds(40), Duration.ofSeconds(40), SECOND);
        assertThatThrownBy(() -> Patience.await(never, SECOND, time)).isInstanceOf(TimeoutException.class);
        assertThat(never.waited).isEqualTo(2);
    }

    @Test
    void a_timer_that_rings_in_time_finds_it_overdue() {
        int[] next = new int[1];
        written(new CompletableFuture<>()).then(time, () -> next[0]++);
        time.pass(SECOND);
        assertThat(overdue).isEqualTo(1);
        assertThat(next[0]).isEqualTo(1);
    }

    @Test
    void a_timer_that_rings_much_too_late_is_set_anew() {
        CompletableFuture<Void> landed = new CompletableFuture<>();
        int[] next = new int[1];
        written(landed).then(time, () -> next[0]++);
        time.standStill(Duration.ofSeconds(40));
        assertThat(overdue).isZero();
        landed.complete(null);
        assertThat(next[0]).isEqualTo(1);
        time.pass(SECOND);
        assertThat(overdue).isZero();
        assertThat(next[0]).isEqualTo(1);
    }

    @Test
    void and_where_it_cannot_be_set_anew_it_finds_it_overdue_at_once() {
        int[] next = new int[1];
        written(new CompletableFuture<>()).then(time, () -> next[0]++);
        time.rejectTimers();
        time.standStill(Duration.ofSeconds(40));
        assertThat(overdue).isEqualTo(1);
        assertThat(next[0]).isEqualTo(1);
    }

    @Test
    void and_finds_it_overdue_the_next_time() {
        int[] next = new int[1];
        written(new CompletableFuture<>()).then(time, () -> next[0]++);
        time.standStill(Duration.ofSeconds(40));
        time.standStill(Duration.ofSeconds(40));
        assertThat(overdue).isEqualTo(1);
        assertThat(next[0]).isEqualTo(1);
    }
}
