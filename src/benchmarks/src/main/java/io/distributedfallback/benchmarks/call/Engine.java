package io.distributedfallback.benchmarks.call;

import io.distributedfallback.Breaker;
import io.distributedfallback.core.Application;
import io.distributedfallback.core.Background;
import io.distributedfallback.core.BreakerListener;
import io.distributedfallback.core.CallMeter;
import io.distributedfallback.core.CallOutcome;
import io.distributedfallback.core.CircuitBreakers;
import io.distributedfallback.core.Instruments;
import io.distributedfallback.core.MemoryBreakerStore;
import io.distributedfallback.core.Policy;
import io.distributedfallback.core.Surroundings;
import io.distributedfallback.core.Timings;
import java.time.Duration;
import java.time.Instant;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.Executor;
import java.util.concurrent.atomic.LongAdder;

/** Ours without CDI and without a database, so that nothing differs but whether somebody counts the calls. */
final class Engine implements Subject {

    private final Breaker breaker;

    private Engine(Instruments instruments) {
        breaker = new CircuitBreakers(
                        Optional.of(new MemoryBreakerStore(System::nanoTime, Instant.EPOCH, "shared")),
                        new MemoryBreakerStore(System::nanoTime, Instant.EPOCH, "stand-in"),
                        new Surroundings(
                                new CallersThread(),
                                System::nanoTime,
                                new BreakerListener() {},
                                Timings.DEFAULT,
                                instruments),
                        new Application(
                                name -> Policy.DEFAULT,
                                Map.of(),
                                List.of(),
                                (name, retryAfter, why) -> new IllegalStateException(why)))
                .get(Container.BREAKER);
    }

    static Subject unseen() {
        return new Engine(Instruments.NONE);
    }

    /** Counted as for OpenTelemetry. */
    static Subject counted() {
        Map<CallOutcome, LongAdder> calls = new EnumMap<>(CallOutcome.class);
        for (CallOutcome outcome : CallOutcome.values()) {
            calls.put(outcome, new LongAdder());
        }
        CallMeter meter = outcome -> calls.get(outcome).add(1);
        return new Engine(new Instruments() {
            @Override
            public Optional<CallMeter> meter(String name) {
                return Optional.of(meter);
            }
        });
    }

    @Override
    public String ask(Provider provider) throws Exception {
        return breaker.call(provider::answer, provider::answerInstead);
    }

    /** A read of the memory, once in two seconds, needs no thread of its own. */
    private static final class CallersThread implements Background {

        @Override
        public Task run(Runnable task) {
            task.run();
            return () -> {};
        }

        @Override
        public void afterRequest(Runnable task) {
            task.run();
        }

        @Override
        public Executor callersContext() {
            return Runnable::run;
        }

        @Override
        public Task schedule(Duration delay, Runnable task) {
            return () -> {};
        }
    }
}
