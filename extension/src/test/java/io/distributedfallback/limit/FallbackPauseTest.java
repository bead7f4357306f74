package io.distributedfallback.limit;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/** For how long the fallback is left alone. */
class FallbackPauseTest {

    private final StoppedTime time = new StoppedTime();
    private final FallbackPause pause = new FallbackPause(time.nanos());

    private long fail() {
        return Duration.ofNanos(pause.failed(time.nanos(), time.nanos())).toSeconds();
    }

    @Test
    void three_failures_in_a_row_begin_a_second_that_doubles_to_thirty_with_each_failure_after_it() {
        List<Long> pauses = new ArrayList<>();
        for (int i = 0; i < 10; i++) {
            long seconds = fail();
            pauses.add(seconds);
            time.pass(Duration.ofSeconds(seconds));
        }
        assertThat(pauses).containsExactly(0L, 0L, 1L, 2L, 4L, 8L, 16L, 30L, 30L, 30L);
    }

    @Test
    void a_success_ends_the_row() {
        fail();
        fail();
        pause.succeeded();
        assertThat(fail()).isZero();
        assertThat(fail()).isZero();
        assertThat(fail()).isEqualTo(1);
    }

    @Test
    void what_comes_of_calls_that_began_before_its_end_makes_no_pause_longer() {
        long begun = time.nanos();
        fail();
        fail();
        assertThat(fail()).isEqualTo(1);
        time.passMillis(1500);
        assertThat(pause.failed(begun, time.nanos())).isZero();
        assertThat(pause.left(time.nanos())).isNegative();
        assertThat(fail()).isEqualTo(2);
    }

    @Test
    void it_is_only_ever_extended() {
        assertThat(pause.extend(time.nanos(), 5_000)).isTrue();
        assertThat(pause.extend(time.nanos(), 4_000)).isFalse();
        assertThat(pause.extend(time.nanos(), 0)).isFalse();
        assertThat(pause.left(time.nanos())).isEqualTo(5_000);
    }
}
