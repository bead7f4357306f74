package io.distributedfallback.benchmarks.store;

import io.distributedfallback.Breaker;
import io.distributedfallback.BreakerTransition;
import io.distributedfallback.core.Application;
import io.distributedfallback.core.BreakerListener;
import io.distributedfallback.core.BreakerStore;
import io.distributedfallback.core.CircuitBreakers;
import io.distributedfallback.core.MemoryBreakerStore;
import io.distributedfallback.core.Policy;
import io.distributedfallback.core.ProbeCall;
import io.distributedfallback.core.Surroundings;
import io.distributedfallback.core.Timings;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.function.Function;

/** One instance of an application: its breakers, its copy of the store and its threads. */
final class Instance implements BreakerListener, AutoCloseable {

    /**
     * As by default, but for two things that would make the counts depend on the machine. No write is given up: what would
     * have been is shown as a time. And no row is retired: once an hour that costs an instance two statements more, and all
     * instances would have their hour while this is measured.
     */
    private static final Timings TIMINGS = new Timings(
            Timings.DEFAULT.fresh(),
            Timings.DEFAULT.maxAge(),
            Pool.PATIENCE,
            Pool.PATIENCE,
            Optional.empty(),
            Optional.empty());

    private final Threads threads = new Threads();
    private final CircuitBreakers breakers;
    private final Consumer<BreakerTransition> transitions;

    /**
     * Starts one.
     *
     * @param policies by the name of the breaker
     * @param probes by the name of the breaker
     * @param transitions gets those that this instance makes
     */
    Instance(
            BreakerStore store,
            Function<String, Policy> policies,
            Map<String, ProbeCall> probes,
            Consumer<BreakerTransition> transitions) {
        this.transitions = transitions;
        breakers = new CircuitBreakers(
                Optional.of(store),
                new MemoryBreakerStore(System::nanoTime, Instant.EPOCH, "stand-in"),
                new Surroundings(threads, System::nanoTime, this, TIMINGS),
                new Application(
                        policies, probes, List.of(), (breaker, retryAfter, why) -> new IllegalStateException(why)));
    }

    Breaker breaker(String name) {
        return breakers.get(name);
    }

    /** Has the copy read, if it is not fresh: what waits for the store's next answer goes with it. */
    void readStore() {
        breakers.readAhead();
    }

    /** The most threads that it used at once beside those of its callers. */
    int mostThreads() {
        return threads.most();
    }

    @Override
    public void transitioned(BreakerTransition transition) {
        transitions.accept(transition);
    }

    @Override
    public void close() {
        breakers.close();
        threads.close();
    }
}
