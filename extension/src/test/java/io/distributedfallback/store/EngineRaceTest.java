package io.distributedfallback.store;

import io.distributedfallback.BreakerTransition;
import io.distributedfallback.Recovery;
import io.distributedfallback.core.Application;
import io.distributedfallback.core.BreakerListener;
import io.distributedfallback.core.CircuitBreaker;
import io.distributedfallback.core.CircuitBreakers;
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
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import static org.assertj.core.api.Assertions.assertThat;

/** Whole engines on one PostgreSQL, with real threads and real time: what the parts promise, together. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class EngineRaceTest {

    private static final int INSTANCES = 8;
    private static final int STORES = 2;
    private static final Duration GIVE_UP = Duration.ofSeconds(30);

    private final TestPostgres postgres = TestPostgres.newDatabase();
    private final Queue<BreakerTransition> told = new ConcurrentLinkedQueue<>();
    private final Queue<String> losses = new ConcurrentLinkedQueue<>();
    private Remote provider;
    private final List<Instance> instances = new ArrayList<>();
    private final List<JpaBreakerStore> stores = new ArrayList<>();
    private TestPool pool;
    private Policy policy;

    @BeforeEach
    void start() {
        postgres.empty();
        provider = new Remote();
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
        policy = with.recovery(Recovery.PROBE).build();
        for (int i = 0; i < STORES; i++) {
            stores.add(Provider.HIBERNATE.store(pool, SchemaMode.CREATE, "", "store-" + i));
        }
        for (int i = 0; i < count; i++) {
            // They share the way to the database: what is raced are the engines and the row.
            instances.add(new Instance(stores.get(i % STORES)));
        }
        for (Instance instance : instances) {
            assertThat(instance.call()).isEqualTo("primary"); // tables made, copies read
        }
        provider.visitors.set(0);
    }

    @ParameterizedTest
    @ValueSource(ints = {8, 32})
    void many_that_fail_together_are_counted_exactly(int threads) throws Exception {
        startInstances(INSTANCES, new PolicyBuilder().failureThreshold(1_000_000));
        provider.down = true;
        try (Together together = new Together(threads)) {
            together.run(i -> () -> {
                for (int n = 0; n < 25; n++) {
                    assertThat(instances.get(i % INSTANCES).call()).isEqualTo("fallback");
                }
                return null;
            });
        }
        assertThat(losses).isEmpty();
        assertThat(postgres.query("SELECT consecutive_failures FROM distributed_breaker"))
                .containsExactly(String.valueOf(threads * 25));
    }

    @ParameterizedTest
    @ValueSource(ints = {8, 32})
    void many_that_fail_together_open_once_and_tell_it_once(int threads) throws Exception {
        startInstances(INSTANCES, new PolicyBuilder());
        provider.down = true;
        try (Together together = new Together(threads)) {
            together.run(i -> () -> instances.get(i % INSTANCES).call());
        }
        assertThat(losses).isEmpty();
        assertThat(told).hasSize(1);
        assertThat(postgres.query("SELECT from_state, to_state FROM distributed_breaker_transition"))
                .containsExactly("CLOSED OPEN");
    }

    @Test
    void eight_threads_of_one_instance_that_notice_a_due_probe_send_one() throws Exception { // A1
        startInstances(1, new PolicyBuilder().probeInterval(Duration.ofHours(1)).probeSuccesses(1));
        provider.down = true;
        for (int i = 0; i < 3; i++) {
            instances.get(0).call();
        }
        provider.down = false;
        provider.probing = Duration.ofMillis(300);
        postgres.execute("UPDATE distributed_breaker SET next_probe_at = clock_timestamp()");
        hammerUntil("closed", () -> told.size() == 2, 8);
        assertThat(provider.probes.get()).isEqualTo(1);
        assertThat(losses).isEmpty();
    }

    @Test
    void fifty_instances_that_see_a_probe_due_send_one() throws Exception {
        startInstances(
                50, new PolicyBuilder().probeInterval(Duration.ofHours(1)).probeSuccesses(1));
        provider.down = true;
        for (int i = 0; i < 3; i++) {
            instances.get(i).call();
        }
        provider.down = false;
        provider.probing = Duration.ofMillis(300);
        postgres.execute("UPDATE distributed_breaker SET next_probe_at = clock_timestamp()");
        hammerUntil("closed", () -> told.size() == 2);
        assertThat(provider.probes.get()).isEqualTo(1);
        assertThat(losses).isEmpty();
    }

    @Test
    void through_outages_and_recoveries_the_history_is_one_chain_and_probes_never_meet() throws Exception {
        startInstances(
                INSTANCES,
                new PolicyBuilder().probeInterval(Duration.ofMillis(20)).probeSuccesses(2));
        provider.probing = Duration.ofMillis(2);
        for (int outage = 1; outage <= 5; outage++) {
            int expected = 2 * outage;
            provider.down = true;
            hammerUntil("opened " + outage, () -> told.size() == expected - 1);
            provider.down = false;
            hammerUntil("closed " + outage, () -> told.size() == expected);
        }
        assertThat(losses).isEmpty();
        assertThat(provider.mostProbesAtOnce.get()).isEqualTo(1);
        List<String> chain =
                postgres.query("SELECT from_state, to_state FROM distributed_breaker_transition ORDER BY id");
        assertThat(chain).hasSize(10);
        for (int i = 0; i < chain.size(); i++) {
            assertThat(chain.get(i)).isEqualTo(i % 2 == 0 ? "CLOSED OPEN" : "OPEN CLOSED");
        }
    }

    private void hammerUntil(String what, Condition condition) throws Exception {
        hammerUntil(what, condition, instances.size());
    }

    private void hammerUntil(String what, Condition condition, int threads) throws Exception {
        long end = System.nanoTime() + GIVE_UP.toNanos();
        try (Together together = new Together(threads)) {
            together.run(i -> () -> {
                while (!condition.holds()) {
                    assertThat(System.nanoTime()).as("never " + what).isLessThan(end);
                    instances.get(i % instances.size()).call();
                }
                return null;
            });
        }
    }

    private interface Condition {
        boolean holds();
    }

    private static final class Remote {
        private final AtomicInteger visitors = new AtomicInteger();
        private final AtomicInteger probes = new AtomicInteger();
        private final AtomicInteger underWay = new AtomicInteger();
        private final AtomicInteger mostProbesAtOnce = new AtomicInteger();
        private volatile boolean down;
        private volatile Duration probing = Duration.ZERO;

        String visit() throws IOException {
            visitors.incrementAndGet();
            answer();
            return "primary";
        }

        boolean probe() throws IOException {
            probes.incrementAndGet();
            mostProbesAtOnce.accumulateAndGet(underWay.incrementAndGet(), Math::max);
            try {
                long end = System.nanoTime() + probing.toNanos();
                while (System.nanoTime() < end) {
                    Thread.onSpinWait();
                }
                answer();
                return true;
            } finally {
                underWay.decrementAndGet();
            }
        }

        private void answer() throws IOException {
            if (down) {
                throw new IOException("HTTP 503");
            }
        }
    }

    private final class Instance implements BreakerListener, AutoCloseable {

        private final RealThreads threads = new RealThreads();
        private final CircuitBreakers breakers;
        private final CircuitBreaker breaker;

        Instance(JpaBreakerStore store) {
            Timings patient = new Timings(
                    Duration.ofMillis(10), Duration.ofSeconds(30), Duration.ofSeconds(30), Duration.ofSeconds(30));
            breakers = new CircuitBreakers(
                    Optional.of(store),
                    new MemoryBreakerStore(System::nanoTime, Instant.EPOCH, "stand-in"),
                    new Surroundings(threads, System::nanoTime, this, patient),
                    new Application(
                            name -> policy,
                            Map.<String, ProbeCall>of("rawg", provider::probe),
                            List.of(),
                            (breaker, retryAfter, why) -> new IllegalStateException(why)));
            breaker = breakers.get("rawg");
        }

        String call() {
            try {
                return breaker.call(provider::visit, () -> "fallback");
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
            // A read under way would otherwise find the tables gone that the next test begins by dropping.
            threads.close();
        }
    }
}
