package io.distributedfallback.core;

import io.distributedfallback.BreakerState;
import io.distributedfallback.BreakerStatus.Standing;
import io.distributedfallback.FailureKind;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.OptionalDouble;
import java.util.Random;
import java.util.stream.IntStream;
import org.junit.jupiter.api.RepeatedTest;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/** What many calls came to, as one. */
class EvidenceTest {

    private static final Evidence FAILURE = Evidence.of(Failures.one(FailureKind.OUTAGE, "HTTP 503"));

    @Test
    void keeps_the_runs_apart_that_a_success_ends() {
        Evidence series = series("FF.FFFF.F");
        assertThat(series.calls()).isEqualTo(9);
        assertThat(series.failureCount()).isEqualTo(7);
        assertThat(series.firstRun()).isEqualTo(2);
        assertThat(series.longestRun()).isEqualTo(4);
        assertThat(series.lastRun()).isEqualTo(1);
        assertThat(series.hasSuccess()).isTrue();
    }

    @Test
    void is_the_last_failure_of_all() {
        Evidence series = FAILURE.then(Evidence.of(new Failures(2, FailureKind.SLOW, "took 9 s")))
                .then(Evidence.SUCCESS);
        assertThat(series.failures()).contains(new Failures(3, FailureKind.SLOW, "took 9 s"));
    }

    @Test
    void is_as_old_as_the_youngest_of_the_calls_that_failed() {
        Evidence old = FAILURE.ofAge(Duration.ofSeconds(60));
        Evidence young = FAILURE.ofAge(Duration.ofSeconds(20));
        assertThat(old.then(young).age()).isEqualTo(young.age());
        assertThat(young.then(old).age()).isEqualTo(young.age());
        assertThat(Evidence.SUCCESS.then(old).then(Evidence.SUCCESS).age()).isEqualTo(old.age());
    }

    @Test
    void stops_counting_at_the_end_of_the_numbers() {
        Evidence most = Evidence.of(new Failures(Integer.MAX_VALUE, FailureKind.OUTAGE, "HTTP 503"));
        Evidence series = most.then(FAILURE);
        assertThat(series.calls()).isEqualTo(Integer.MAX_VALUE);
        assertThat(series.lastRun()).isEqualTo(Integer.MAX_VALUE);
        assertThat(series.failureCount()).isEqualTo(Integer.MAX_VALUE);
    }

    @RepeatedTest(200)
    void is_the_same_however_a_series_is_cut() {
        long seed = new Random().nextLong();
        Random random = new Random(seed);
        String all = randomSeries(random, 20);
        int one = random.nextInt(all.length() + 1);
        int other = one + random.nextInt(all.length() - one + 1);
        Evidence first = series(all.substring(0, one));
        Evidence second = series(all.substring(one, other));
        Evidence third = series(all.substring(other));
        assertThat(first.then(second).then(third))
                .as("seed %s, %s", seed, all)
                .isEqualTo(first.then(second.then(third)))
                .isEqualTo(series(all));
    }

    /** The rule of the breaker does not see whether calls were told one by one or together. */
    @RepeatedTest(500)
    void written_as_one_it_opens_and_counts_as_written_one_by_one() {
        long seed = new Random().nextLong();
        Random random = new Random(seed);
        Policy policy =
                new PolicyBuilder().failureThreshold(1 + random.nextInt(6)).build();
        String before = randomSeries(random, 5);
        String all = randomSeries(random, 12);
        Standing together = standing(policy, List.of(series(before), series(all)));
        Standing oneByOne = standing(
                policy, (before + all).chars().mapToObj(EvidenceTest::call).toList());
        assertThat(together.state()).as("seed %s, %s %s", seed, before, all).isEqualTo(oneByOne.state());
        if (together.state() == BreakerState.CLOSED) {
            assertThat(together.consecutiveFailures())
                    .as("seed %s, %s %s", seed, before, all)
                    .isEqualTo(oneByOne.consecutiveFailures());
        }
    }

    @Test
    void calls_that_did_well_dilute_the_failures_of_a_window() {
        Policy policy = new PolicyBuilder()
                .failureThreshold(1000)
                .failureRatio(OptionalDouble.of(0.5))
                .minimumCalls(10)
                .window(Duration.ofSeconds(60))
                .build();
        assertThat(standing(policy, List.of(series("F....F"), series("....F"))).state())
                .isEqualTo(BreakerState.CLOSED);
        assertThat(standing(policy, List.of(series("F....F"), series("FFF..."))).state())
                .isEqualTo(BreakerState.CLOSED);
        assertThat(standing(policy, List.of(series("F....F"), series("FFF."))).state())
                .isEqualTo(BreakerState.OPEN);
    }

    private static Standing standing(Policy policy, List<Evidence> told) {
        ManualTime time = new ManualTime();
        MemoryBreakerStore store = new MemoryBreakerStore(time, Instant.EPOCH, "one");
        told.stream()
                .filter(evidence -> !evidence.isEmpty())
                .forEach(evidence -> store.record("rawg", evidence, policy));
        return store.readAll().stream().findFirst().map(BreakerRow::standing).orElse(Standing.NEVER_FAILED);
    }

    private static String randomSeries(Random random, int longest) {
        StringBuilder series = new StringBuilder();
        IntStream.range(0, random.nextInt(longest)).forEach(i -> series.append(random.nextInt(3) > 0 ? 'F' : '.'));
        return series.toString();
    }

    /** F for a failure, . for a success. */
    private static Evidence series(String calls) {
        return calls.chars().mapToObj(EvidenceTest::call).reduce(Evidence.NONE, Evidence::then);
    }

    private static Evidence call(int outcome) {
        return outcome == 'F' ? FAILURE : Evidence.SUCCESS;
    }
}
