package io.distributedfallback.observe;

import io.distributedfallback.core.Application;
import io.distributedfallback.core.AtOnce;
import io.distributedfallback.core.BreakerListener;
import io.distributedfallback.core.CircuitBreaker;
import io.distributedfallback.core.CircuitBreakers;
import io.distributedfallback.core.Instruments;
import io.distributedfallback.core.MemoryBreakerStore;
import io.distributedfallback.core.Policy;
import io.distributedfallback.core.Surroundings;
import io.distributedfallback.core.Timings;
import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;

/** Breakers in memory, with somebody who looks; time stands still until it is moved. */
final class SeenBreakers {

    static IOException down() {
        return new IOException("HTTP 503 from https://user:secret@api.example.com/?key=abc");
    }

    final CircuitBreakers breakers;
    Policy policy = Policy.DEFAULT.toBuilder()
            .recovery(io.distributedfallback.Recovery.PROBE)
            .probeSuccesses(1)
            .build();
    Exception probeFailure;
    int probes;
    private long nanos;

    SeenBreakers(BreakerListener listener, Instruments instruments) {
        breakers = new CircuitBreakers(
                Optional.empty(),
                new MemoryBreakerStore(() -> nanos, Instant.EPOCH, "alone"),
                new Surroundings(new AtOnce(), () -> nanos, listener, Timings.DEFAULT, instruments),
                new Application(
                        name -> policy,
                        Map.of("rawg", this::probe),
                        List.of(),
                        (breaker, retryAfter, why) -> new IllegalStateException(why)));
    }

    private boolean probe() throws Exception {
        probes++;
        if (probeFailure != null) {
            throw probeFailure;
        }
        return true;
    }

    CircuitBreaker rawg() {
        return breakers.get("rawg");
    }

    void pass(Duration time) {
        nanos += time.toNanos();
    }

    static String succeed(CircuitBreaker breaker) throws Exception {
        return breaker.call(() -> "primary", () -> "fallback");
    }

    static String fail(CircuitBreaker breaker) throws Exception {
        return breaker.call(
                () -> {
                    throw down();
                },
                () -> "fallback");
    }

    static CompletionStage<String> failStage(CircuitBreaker breaker, CompletableFuture<String> fallback) {
        return breaker.callStage(() -> CompletableFuture.failedFuture(down()), () -> fallback);
    }

    void open(CircuitBreaker breaker) throws Exception {
        for (int i = 0; i < policy.failureThreshold(); i++) {
            fail(breaker);
        }
    }
}
