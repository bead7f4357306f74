package io.distributedfallback.store;

import io.distributedfallback.BreakerTransition;
import io.distributedfallback.Recovery;
import io.distributedfallback.TransitionCause;
import io.distributedfallback.core.Application;
import io.distributedfallback.core.BreakerListener;
import io.distributedfallback.core.CircuitBreaker;
import io.distributedfallback.core.CircuitBreakers;
import io.distributedfallback.core.Instruments;
import io.distributedfallback.core.MemoryBreakerStore;
import io.distributedfallback.core.Policy;
import io.distributedfallback.core.PolicyBuilder;
import io.distributedfallback.core.ProbeCall;
import io.distributedfallback.core.SchemaMode;
import io.distributedfallback.core.StoreException;
import io.distributedfallback.core.Surroundings;
import io.distributedfallback.core.Timings;
import java.io.IOException;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.BooleanSupplier;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;

import static org.assertj.core.api.Assertions.assertThat;

/** The way back to full traffic, with whole engines on one PostgreSQL, real threads and real time. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
@Tag("storm")
class RampUpRaceTest {

    private static final Duration GIVE_UP = Duration.ofSeconds(30);

    private final TestPostgres postgres = TestPostgres.newDatabase();
    private final Queue<BreakerTransition> told = new ConcurrentLinkedQueue<>();
    private final Queue<String> losses = new ConcurrentLinkedQueue<>();
    private final List<Instance> instances = new ArrayList<>();
    private final List<JpaBreakerStore> stores = new ArrayList<>();
    private TestPool pool;
    private volatile Policy policy;
    private volatile Remote provider;

    /** Whoever answers instead of it may be slow or quick; what it gets is what counts. */
    private interface Remote {

        void answer() throws IOException;
    }

    @BeforeEach
    void start() {
        postgres.empty();
        pool = new TestPool(postgres.dataSource(), "");
    }

    @AfterEach
    void stop() throws SQLException {
        instances.forEach(Instance::close);
        stores.forEach(JpaBreakerStore::close);
        instances.clear();
        stores.clear();
        told.clear();
        losses.clear();
        pool.close();
    }

    private void startInstances(int count, PolicyBuilder with) {
        policy = with.recovery(Recovery.PROBE)
                .probeSuccesses(1)
                .probeInterval(Duration.ofMillis(100))
                .build();
        stores.add(Provider.HIBERNATE.store(pool, SchemaMode.CREATE, "", "a"));
        stores.add(Provider.ECLIPSELINK.store(pool, SchemaMode.CREATE, "", "b"));
        provider = () -> {};
        for (int i = 0; i < count; i++) {
            instances.add(new Instance(stores.get(i % stores.size())));
            assertThat(instances.get(i).call()).isEqualTo("primary");
        }
    }

    /** The provider was down, and is up again; all instances know. */
    private void recover() {
        Remote up = provider;
        provider = () -> {
            throw new IOException("HTTP 503");
        };
        for (int i = 0; i < policy.failureThreshold(); i++) {
            instances.get(0).call();
        }
        provider = up;
        until("closed", () -> {
            instances.get(0).call();
            return told.size() == 2;
        });
        instances.forEach(instance -> until("read", () -> {
            instance.call();
            return instance.breaker.status().recovery().rampUp().isPresent();
        }));
    }

    private static void until(String what, BooleanSupplier holds) {
        long end = System.nanoTime() + GIVE_UP.toNanos();
        while (!holds.getAsBoolean()) {
            assertThat(System.nanoTime()).as("never " + what).isLessThan(end);
            Thread.onSpinWait();
        }
    }

    @Test
    void instances_that_never_talk_to_each_other_let_the_same_share_through() {
        startInstances(2, new PolicyBuilder().rampUp(Duration.ofHours(1)));
        recover();
        postgres.execute("UPDATE distributed_breaker SET version = version + 1,"
                + " ramp_up_from = clock_timestamp() - INTERVAL '18 minutes',"
                + " closed_at = clock_timestamp() - INTERVAL '18 minutes',"
                + " ramp_up_until = clock_timestamp() + INTERVAL '42 minutes'");
        for (Instance instance : instances) {
            until("read", () -> {
                instance.call();
                return share(instance) > 0.29;
            });
            assertThat(share(instance)).isBetween(0.30, 0.31);
            int calls = 3_000;
            int primary = 0;
            for (int i = 0; i < calls; i++) {
                primary += instance.call().equals("primary") ? 1 : 0;
            }
            double deviation = Math.sqrt(calls * 0.3 * 0.7);
            assertThat((double) primary).isBetween(calls * 0.3 - 4 * deviation, calls * 0.31 + 4 * deviation);
        }
        assertThat(losses).isEmpty();
        assertThat(told).hasSize(2);
    }

    private static double share(Instance instance) {
        return instance.breaker.status().recovery().rampUp().orElseThrow().share();
    }

    @Test
    void of_many_calls_that_fail_together_one_opens_again() throws Exception {
        int threads = 32;
        startInstances(4, new PolicyBuilder().failureThreshold(1_000).rampUp(Duration.ofHours(1)));
        postgres.execute("INSERT INTO distributed_breaker (name, version, state, opened_at, next_probe_at, updated_at)"
                + " VALUES ('rawg', 1, 'OPEN', now(), now(), now())");
        until("closed", () -> {
            instances.get(0).call();
            return told.size() == 1;
        });
        CountDownLatch admitted = new CountDownLatch(threads);
        AtomicBoolean failing = new AtomicBoolean();
        provider = () -> {
            if (failing.get()) {
                admitted.countDown();
                await(admitted);
                throw new IOException("HTTP 503");
            }
        };
        instances.forEach(instance -> instance.lets = true);
        instances.forEach(instance -> until("read", () -> {
            instance.call();
            return instance.breaker.status().recovery().rampUp().isPresent() && share(instance) > 0;
        }));
        failing.set(true);

        try (Together together = new Together(threads)) {
            together.run(i -> () -> instances.get(i % instances.size()).call());
        }

        assertThat(losses).isEmpty();
        assertThat(told)
                .extracting(BreakerTransition::cause)
                .containsExactly(TransitionCause.PROBES, TransitionCause.RAMP_UP);
        assertThat(postgres.query("SELECT to_state, ramp_up_percent IS NOT NULL FROM distributed_breaker_transition"
                        + " ORDER BY id"))
                .containsExactly("CLOSED f", "OPEN t");
    }

    private static void await(CountDownLatch latch) {
        try {
            assertThat(latch.await(30, TimeUnit.SECONDS)).isTrue();
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }

    @Test
    void a_provider_that_has_just_come_back_is_knocked_over_again_by_full_load_and_not_by_a_growing_share() // E10
            throws Exception {
        startInstances(4, new PolicyBuilder());
        assertThat(timesKnockedOver()).as("without ramp-up").isPositive();
        stop();
        start();
        startInstances(4, new PolicyBuilder().rampUp(Duration.ofSeconds(2)));
        assertThat(timesKnockedOver()).as("with ramp-up").isZero();
        assertThat(instances).extracting(Instance::call).containsOnly("primary");
        assertThat(told)
                .extracting(BreakerTransition::cause)
                .containsExactly(TransitionCause.FAILURES, TransitionCause.PROBES);
        assertThat(postgres.query("SELECT state FROM distributed_breaker")).containsExactly("CLOSED");
        assertThat(losses).isEmpty();
    }

    /** An outage ends under full load, and the load goes on until all of it goes to the provider, or it is down again. */
    private int timesKnockedOver() throws Exception {
        Warming warming = new Warming(Duration.ofMillis(1_500));
        recoverUnder(warming);
        AtomicInteger visitors = new AtomicInteger();
        long end = System.nanoTime() + Duration.ofSeconds(3).toNanos();
        try (Together together = new Together(8)) {
            together.run(i -> () -> {
                while (System.nanoTime() < end && warming.knockedOver.intValue() == 0) {
                    instances.get(i % instances.size()).call();
                    visitors.incrementAndGet();
                    Thread.sleep(2);
                }
                return null;
            });
        }
        assertThat(visitors.get()).isPositive();
        return warming.knockedOver.intValue();
    }

    private void recoverUnder(Warming warming) {
        provider = warming;
        warming.goDown();
        for (int i = 0; i < policy.failureThreshold(); i++) {
            instances.get(0).call();
        }
        assertThat(told).hasSize(1);
        instances.forEach(instance -> until("read", () -> {
            instance.call();
            return instance.breaker.isOpen();
        }));
        warming.comeBack();
    }

    /**
     * Serves few calls at first, when its caches are cold, and each moment more until it is warm: so many in a slice of 100
     * ms. One call too many, and it is down and stays so for the test.
     */
    private static final class Warming implements Remote {

        private static final long SLICE_NANOS = Duration.ofMillis(100).toNanos();
        private static final int COLD = 20;
        private static final int WARM = 600;

        private final long warmUpNanos;
        private final LongAdder knockedOver = new LongAdder();
        private boolean down;
        private long backNanos;
        private long slice;
        private int served;

        Warming(Duration warmUp) {
            warmUpNanos = warmUp.toNanos();
        }

        synchronized void goDown() {
            down = true;
        }

        synchronized void comeBack() {
            down = false;
            backNanos = 0;
        }

        @Override
        public synchronized void answer() throws IOException {
            if (down) {
                throw new IOException("HTTP 503");
            }
            long now = System.nanoTime();
            backNanos = backNanos == 0 ? now : backNanos;
            long current = (now - backNanos) / SLICE_NANOS;
            served = current == slice ? served + 1 : 1;
            slice = current;
            double warmth = Math.min(1, (double) (now - backNanos) / warmUpNanos);
            if (served > COLD + warmth * (WARM - COLD)) {
                down = true;
                knockedOver.increment();
                throw new IOException("HTTP 503, too many calls for a cold cache");
            }
        }
    }

    private final class Instance implements BreakerListener, AutoCloseable {

        private final RealThreads threads = new RealThreads();
        private final CircuitBreakers breakers;
        private final CircuitBreaker breaker;
        private volatile boolean lets;

        Instance(JpaBreakerStore store) {
            Timings patient = new Timings(
                    Duration.ofMillis(10), Duration.ofSeconds(30), Duration.ofSeconds(30), Duration.ofSeconds(30));
            breakers = new CircuitBreakers(
                    Optional.of(store),
                    new MemoryBreakerStore(System::nanoTime, Instant.EPOCH, "stand-in"),
                    new Surroundings(
                            threads,
                            System::nanoTime,
                            this,
                            patient,
                            Instruments.NONE,
                            () -> lets ? 0 : ThreadLocalRandom.current().nextDouble()),
                    new Application(
                            name -> policy,
                            Map.<String, ProbeCall>of("rawg", () -> {
                                provider.answer();
                                return true;
                            }),
                            List.of(),
                            (breaker, retryAfter, why) -> new IllegalStateException(why)));
            breaker = breakers.get("rawg");
        }

        String call() {
            try {
                return breaker.call(
                        () -> {
                            provider.answer();
                            return "primary";
                        },
                        () -> "fallback");
            } catch (Exception e) {
                throw new IllegalStateException(e);
            }
        }

        @Override
        public void transitioned(BreakerTransition transition) {
            told.add(transition);
        }

        @Override
        public void storeLost(StoreException reason) {
            losses.add(reason.getMessage());
        }

        @Override
        public void close() {
            breakers.close();
            threads.close();
        }
    }
}
