package io.distributedfallback.store;

import io.distributedfallback.BreakerTransition;
import io.distributedfallback.Recovery;
import io.distributedfallback.core.Application;
import io.distributedfallback.core.BreakerListener;
import io.distributedfallback.core.BreakerStore;
import io.distributedfallback.core.CircuitBreaker;
import io.distributedfallback.core.CircuitBreakers;
import io.distributedfallback.core.MemoryBreakerStore;
import io.distributedfallback.core.MonotonicClock;
import io.distributedfallback.core.Policy;
import io.distributedfallback.core.PolicyBuilder;
import io.distributedfallback.core.StoreException;
import io.distributedfallback.core.Surroundings;
import io.distributedfallback.core.Timings;
import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.BooleanSupplier;

/**
 * One instance of the application: an engine on a store, with real threads, and a provider that is up or down. Its time
 * runs as that of the JVM does and can be moved on, or is one of the test's own.
 */
final class EngineInstance implements BreakerListener, AutoCloseable {

    /** For a test that is not about waiting, on a machine that is busy. */
    static final Timings PATIENT =
            new Timings(Duration.ofSeconds(2), Duration.ofSeconds(30), Duration.ofSeconds(30), Duration.ofSeconds(30));

    static final Policy PROBED = new PolicyBuilder().recovery(Recovery.PROBE).build();

    final Queue<String> losses = new ConcurrentLinkedQueue<>();
    final Queue<BreakerTransition> transitions = new ConcurrentLinkedQueue<>();
    final AtomicInteger visitors = new AtomicInteger();
    final AtomicInteger probes = new AtomicInteger();
    final CircuitBreakers breakers;
    volatile boolean down;

    private final AtomicLong ahead = new AtomicLong();
    private final RealThreads threads = new RealThreads();

    EngineInstance(BreakerStore store) {
        this(store, PATIENT, System::nanoTime);
    }

    EngineInstance(BreakerStore store, Timings timings, MonotonicClock clock) {
        MonotonicClock own = () -> clock.nanos() + ahead.get();
        breakers = new CircuitBreakers(
                Optional.of(store),
                new MemoryBreakerStore(own, Instant.EPOCH, "stand-in"),
                new Surroundings(threads, own, this, timings),
                new Application(
                        name -> PROBED,
                        Map.of("rawg", this::probe),
                        List.of(),
                        (breaker, retryAfter, why) -> new IllegalStateException(why)));
    }

    CircuitBreaker breaker() {
        return breakers.get("rawg");
    }

    /** A visitor's call of the provider, which has a fallback. */
    String call() {
        return call("rawg");
    }

    String call(String breaker) {
        try {
            return breakers.get(breaker).call(this::visit, () -> "fallback");
        } catch (Exception e) {
            throw new IllegalStateException(e);
        }
    }

    /** The provider fails so many calls. */
    void fail(int times) {
        down = true;
        for (int i = 0; i < times; i++) {
            call();
        }
        down = false;
    }

    String visit() throws IOException {
        visitors.incrementAndGet();
        if (down) {
            throw new IOException("HTTP 503");
        }
        return "primary";
    }

    private boolean probe() {
        probes.incrementAndGet();
        return !down;
    }

    int failures() {
        return breaker().status().standing().consecutiveFailures();
    }

    /** Moves its time on; that of the database stays where it is. */
    void pass(Duration time) {
        ahead.addAndGet(time.toNanos());
    }

    /** Waits for what its threads do. */
    static void await(BooleanSupplier condition) {
        long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(30);
        while (!condition.getAsBoolean()) {
            if (System.nanoTime() - end > 0) {
                throw new IllegalStateException("never so");
            }
            Thread.onSpinWait();
        }
    }

    @Override
    public void storeLost(StoreException reason) {
        losses.add(reason.getMessage());
    }

    @Override
    public void transitioned(BreakerTransition transition) {
        transitions.add(transition);
    }

    @Override
    public void close() {
        breakers.close();
        threads.close();
    }
}
