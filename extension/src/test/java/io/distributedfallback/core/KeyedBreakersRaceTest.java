package io.distributedfallback.core;

import io.distributedfallback.Breaker;
import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collections;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicIntegerArray;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.Collectors;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/** Threads that use keys while these are dropped from memory and made again. */
class KeyedBreakersRaceTest {

    private static final int THREADS = 8;
    private static final int KEYS = 6;
    private static final int ROUNDS = 2_000;
    private static final int BREAKERS_MADE = 10 * KEYS;
    private static final long GIVE_UP_NANOS = TimeUnit.MINUTES.toNanos(1);
    private static final int MOST_KEYS = 4;

    private final AtomicLong nanos = new AtomicLong();
    private final MemoryBreakerStore store = new MemoryBreakerStore(nanos::get, Instant.EPOCH, "here");
    private final Policy policy =
            new PolicyBuilder().failureThreshold(1_000_000).maxKeys(MOST_KEYS).build();
    private final Set<CircuitBreaker> objects =
            Collections.synchronizedSet(Collections.newSetFromMap(new IdentityHashMap<>()));
    private final ExecutorService executor = Executors.newFixedThreadPool(THREADS);

    @AfterEach
    void stop() {
        executor.shutdownNow();
    }

    private CircuitBreakers breakers(Optional<BreakerStore> shared, MemoryBreakerStore standIn) {
        Duration patient = Duration.ofDays(1000);
        return new CircuitBreakers(
                shared,
                standIn,
                new Surroundings(
                        new AtOnce(),
                        nanos::get,
                        new BreakerListener() {},
                        new Timings(
                                Duration.ofMillis(1), patient, patient, patient, Optional.empty(), Optional.empty())),
                new Application(name -> policy, Map.of(), List.of(), Cluster.Rejection::new));
    }

    @Test
    void with_a_shared_store_each_failure_is_counted_and_no_room_leaks() throws Exception {
        CircuitBreakers breakers =
                breakers(Optional.of(store), new MemoryBreakerStore(nanos::get, Instant.EPOCH, "stand-in"));
        AtomicIntegerArray failures = new AtomicIntegerArray(KEYS + 1);
        run(breakers, (breaker, random, key) -> {
            assertThat(use(breakers, breaker, random, true)).isEqualTo("fallback");
            failures.incrementAndGet(breaker.name().equals("rawg") ? KEYS : key);
        });
        for (int key = 0; key < KEYS; key++) {
            assertThat(failuresInStore("rawg[" + key + "]")).isEqualTo(failures.get(key));
        }
        assertThat(failuresInStore("rawg")).isEqualTo(failures.get(KEYS));
        assertThat(breakersOfKeys(breakers)).isEqualTo(MOST_KEYS);
    }

    @Test
    void without_one_whoever_is_asked_in_the_end_knows_what_happened() throws Exception {
        CircuitBreakers breakers = breakers(Optional.empty(), store);
        run(breakers, (breaker, random, key) -> use(breakers, breaker, random, random.nextBoolean()));
        Map<String, Integer> inMemory = breakers.all().stream()
                .filter(breaker -> breaker.status().standing().consecutiveFailures() > 0)
                .collect(Collectors.toMap(
                        Breaker::name, breaker -> breaker.status().standing().consecutiveFailures()));
        assertThat(inMemory)
                .isEqualTo(store.readAll().stream()
                        .collect(Collectors.toMap(
                                BreakerRow::name, row -> row.standing().consecutiveFailures())));
    }

    /** Once all others have been idle for long enough, and more new keys have come than there is room for. */
    private long breakersOfKeys(CircuitBreakers breakers) throws Exception {
        nanos.addAndGet(TimeUnit.SECONDS.toNanos(61));
        breakers.get("plain").call(() -> "the copy is read", () -> "fallback");
        for (int newcomer = 0; newcomer < 20; newcomer++) {
            nanos.addAndGet(TimeUnit.SECONDS.toNanos(20));
            breakers.get("rawg", "newcomer " + newcomer);
        }
        // The last sweep may have made room for more than have come since.
        for (int last = 0; last < MOST_KEYS; last++) {
            breakers.get("rawg", "last " + last);
        }
        return breakers.all().stream()
                .filter(breaker -> breaker.name().startsWith("rawg["))
                .count();
    }

    private int failuresInStore(String breaker) {
        return store.readAll().stream()
                .filter(row -> row.name().equals(breaker))
                .mapToInt(row -> row.standing().consecutiveFailures())
                .sum();
    }

    private interface Use {
        void of(CircuitBreaker breaker, Random random, int key) throws Exception;
    }

    /** Threads use keys, and every few calls a minute passes, until many a breaker has been dropped and made again. */
    private void run(CircuitBreakers breakers, Use use) throws Exception {
        long start = System.nanoTime();
        List<Future<?>> ends = new ArrayList<>();
        for (int thread = 0; thread < THREADS; thread++) {
            Random random = new Random(thread);
            ends.add(executor.submit(() -> {
                for (int round = 0; round < ROUNDS || objects.size() < BREAKERS_MADE; round++) {
                    assertThat(System.nanoTime() - start)
                            .as("only " + objects.size() + " breakers made")
                            .isLessThan(GIVE_UP_NANOS);
                    if (random.nextInt(8) == 0) {
                        nanos.addAndGet(TimeUnit.SECONDS.toNanos(61));
                        breakers.get("rawg", "newcomer " + random.nextInt());
                    }
                    int key = random.nextInt(KEYS);
                    CircuitBreaker breaker = breakers.get("rawg", key);
                    objects.add(breaker);
                    use.of(breaker, random, key);
                }
                return null;
            }));
        }
        for (Future<?> end : ends) {
            end.get(2, TimeUnit.MINUTES);
        }
    }

    /** A call that ends at once, or after its thread has asked for other keys, and so perhaps set off sweeps. */
    private static String use(CircuitBreakers breakers, CircuitBreaker breaker, Random random, boolean fails) {
        CompletableFuture<String> answer = new CompletableFuture<>();
        CompletionStage<String> outcome =
                breaker.callStage(() -> answer, () -> CompletableFuture.completedFuture("fallback"));
        for (int others = random.nextInt(4); others > 0; others--) {
            breakers.get("rawg", random.nextInt(KEYS));
        }
        if (fails) {
            answer.completeExceptionally(new IOException("HTTP 503"));
        } else {
            answer.complete("primary");
        }
        return outcome.toCompletableFuture().join();
    }
}
