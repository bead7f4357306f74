package io.distributedfallback.admin;

import io.distributedfallback.core.Application;
import io.distributedfallback.core.AtOnce;
import io.distributedfallback.core.Background;
import io.distributedfallback.core.BreakerListener;
import io.distributedfallback.core.BreakerStore;
import io.distributedfallback.core.CircuitBreakers;
import io.distributedfallback.core.ControlRoom;
import io.distributedfallback.core.MemoryBreakerStore;
import io.distributedfallback.core.Policy;
import io.distributedfallback.core.Surroundings;
import io.distributedfallback.core.Timings;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/** An instance of an application, and whoever watches over it. */
final class Rooms implements AutoCloseable {

    static final Instant START = Instant.parse("2026-01-01T12:00:00Z");

    final CircuitBreakers breakers;
    final ControlRoom room;

    Rooms(BreakerStore shared, Background background, Timings timings, Policy policy, Set<String> declared) {
        breakers = new CircuitBreakers(
                Optional.of(shared),
                new MemoryBreakerStore(System::nanoTime, START, "stand-in"),
                new Surroundings(background, System::nanoTime, new BreakerListener() {}, timings),
                new Application(
                        breaker -> policy,
                        Map.of(),
                        List.of(),
                        (breaker, retryAfter, why) -> new IllegalStateException(why)));
        room = breakers.controlRoom("pod-7", declared);
    }

    static MemoryBreakerStore database() {
        return new MemoryBreakerStore(System::nanoTime, START, "pod-7");
    }

    static Rooms over(BreakerStore shared, String... declared) {
        return new Rooms(shared, new AtOnce(), Timings.DEFAULT, Policy.DEFAULT, Set.of(declared));
    }

    /** Fails a breaker's calls until it opens. */
    void open(String breaker) {
        for (int i = 0; i < Policy.DEFAULT.failureThreshold(); i++) {
            fail(breaker);
        }
    }

    void fail(String breaker) {
        try {
            breakers.get(breaker)
                    .call(
                            () -> {
                                throw new java.io.IOException("HTTP 503");
                            },
                            () -> "fallback");
        } catch (Exception e) {
            throw new IllegalStateException(e);
        }
    }

    @Override
    public void close() {
        breakers.close();
    }
}
