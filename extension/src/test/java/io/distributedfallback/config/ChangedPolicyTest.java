package io.distributedfallback.config;

import io.distributedfallback.core.Application;
import io.distributedfallback.core.AtOnce;
import io.distributedfallback.core.BreakerListener;
import io.distributedfallback.core.CircuitBreaker;
import io.distributedfallback.core.CircuitBreakers;
import io.distributedfallback.core.MemoryBreakerStore;
import io.distributedfallback.core.Problem;
import io.distributedfallback.core.ProblemCode;
import io.distributedfallback.core.Surroundings;
import io.distributedfallback.core.Timings;
import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.Test;

import static io.distributedfallback.BreakerState.CLOSED;
import static io.distributedfallback.BreakerState.OPEN;
import static org.assertj.core.api.Assertions.assertThat;

/** A running engine whose config source changes: no restart is needed. */
class ChangedPolicyTest {

    private static final String THRESHOLD = "distributed-fallback.breaker.rawg.failure-threshold";

    private final Map<String, String> source = TestConfig.mapOf(THRESHOLD, "5");
    private final List<Problem> logged = new ArrayList<>();
    private long nanos;
    private final CircuitBreaker rawg = engine().get("rawg");

    @Test
    void the_next_failure_is_held_against_the_new_threshold() throws Exception {
        fail(2);
        source.put(THRESHOLD, "3");
        passReread();
        fail(1);
        assertThat(rawg.status().standing().countedAgainst()).hasValue(3);
        assertThat(rawg.status().standing().state()).isEqualTo(OPEN);
    }

    @Test
    void a_higher_threshold_holds_for_failures_that_are_counted_already() throws Exception {
        fail(4);
        source.put(THRESHOLD, "6");
        passReread();
        fail(1);
        assertThat(rawg.status().standing().state()).isEqualTo(CLOSED);
        fail(1);
        assertThat(rawg.status().standing().state()).isEqualTo(OPEN);
    }

    @Test
    void the_next_verdict_is_given_under_the_new_policy() throws Exception {
        fail(5);
        source.put("distributed-fallback.breaker.rawg.probe-successes", "2");
        source.put("distributed-fallback.breaker.rawg.probe-interval", "1m");
        pass(Duration.ofSeconds(15));
        assertThat(trial()).isEqualTo("trial");
        assertThat(rawg.status().recovery().untilNextProbe()).contains(Duration.ofMinutes(1));
        assertThat(rawg.status().standing().state()).isEqualTo(OPEN);
        pass(Duration.ofMinutes(1));
        trial();
        assertThat(rawg.status().standing().state()).isEqualTo(CLOSED);
    }

    @Test
    void a_key_that_is_taken_away_leaves_what_is_beneath_it() throws Exception {
        source.remove(THRESHOLD);
        passReread();
        fail(3);
        assertThat(rawg.status().standing().state()).isEqualTo(OPEN);
    }

    @Test
    void a_value_that_becomes_unusable_keeps_the_last_good_one_and_is_told_once() throws Exception {
        fail(1);
        source.put(THRESHOLD, "many");
        for (int i = 0; i < 3; i++) {
            passReread();
            fail(1);
        }
        assertThat(rawg.status().standing().state()).isEqualTo(CLOSED);
        assertThat(rawg.status().standing().countedAgainst()).hasValue(5);
        assertThat(logged).singleElement().satisfies(problem -> {
            assertThat(problem.code()).isEqualTo(ProblemCode.DFB201);
            assertThat(problem.where()).startsWith(THRESHOLD);
            assertThat(problem.value()).isEqualTo("many");
        });
    }

    @Test
    void a_value_that_has_been_mended_holds() throws Exception {
        source.put(THRESHOLD, "many");
        passReread();
        fail(1);
        source.put(THRESHOLD, "2");
        passReread();
        fail(1);
        assertThat(rawg.status().standing().state()).isEqualTo(OPEN);
        assertThat(logged).hasSize(1);
    }

    @Test
    void a_source_that_fails_is_no_callers_trouble() throws Exception {
        source.put(THRESHOLD, "${nowhere}");
        passReread();
        fail(4);
        assertThat(rawg.status().standing().state()).isEqualTo(CLOSED);
        fail(1);
        assertThat(rawg.status().standing().state()).isEqualTo(OPEN);
        assertThat(logged).hasSize(1);
    }

    private CircuitBreakers engine() {
        Policies policies = TestConfig.configuration(TestConfig.changing(source))
                .policies(
                        new DeclaredBreakers(Set.of("rawg"), Set.of(), List.of()), Map.of(), () -> nanos, logged::add);
        return new CircuitBreakers(
                Optional.empty(),
                new MemoryBreakerStore(() -> nanos, Instant.EPOCH, "alone"),
                new Surroundings(new AtOnce(), () -> nanos, new BreakerListener() {}, Timings.DEFAULT),
                new Application(
                        policies::policyOf,
                        Map.of(),
                        List.of(),
                        (breaker, retryAfter, why) -> new IllegalStateException(why)));
    }

    private void fail(int times) throws Exception {
        for (int i = 0; i < times; i++) {
            String answer = rawg.call(
                    () -> {
                        throw new IOException("HTTP 503");
                    },
                    () -> "fallback");
            assertThat(answer).isEqualTo("fallback");
        }
    }

    private String trial() throws Exception {
        return rawg.call(() -> "trial", () -> "fallback");
    }

    private void passReread() {
        pass(Policies.REREAD);
    }

    private void pass(Duration time) {
        nanos += time.toNanos();
    }
}
