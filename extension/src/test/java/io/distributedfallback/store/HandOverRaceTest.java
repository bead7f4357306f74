package io.distributedfallback.store;

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
import java.sql.Connection;
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
import java.util.function.BooleanSupplier;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.postgresql.ds.PGSimpleDataSource;

import static org.assertj.core.api.Assertions.assertThat;

/** Several engines that lose one PostgreSQL and find it again, with real threads and real time. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
@Tag("storm")
class HandOverRaceTest {

    private static final int INSTANCES = 4;
    private static final Duration GIVE_UP = Duration.ofSeconds(60);
    private static final Policy POLICY = new PolicyBuilder()
            .recovery(Recovery.PROBE)
            .probeInterval(Duration.ofMillis(200))
            .build();

    private final TestPostgres postgres = TestPostgres.newDatabase();
    private final Queue<String> told = new ConcurrentLinkedQueue<>();
    private final AtomicInteger attempts = new AtomicInteger();
    private final AtomicInteger visitors = new AtomicInteger();
    private final List<Instance> instances = new ArrayList<>();
    private volatile boolean away;
    private volatile boolean down;
    private JpaBreakerStore store;

    @BeforeEach
    void start() {
        postgres.empty();
        postgres.execute("DROP ROLE IF EXISTS writer; CREATE ROLE writer LOGIN SUPERUSER");
        PGSimpleDataSource login = postgres.login("writer");
        store = Provider.HIBERNATE.store(
                new TestDataSource() {
                    @Override
                    public Connection getConnection() throws SQLException {
                        attempts.incrementAndGet();
                        if (away) {
                            throw new SQLException("Connection to db.example:5432 refused.", "08001");
                        }
                        return login.getConnection();
                    }
                },
                SchemaMode.CREATE,
                "",
                "one");
        for (int i = 0; i < INSTANCES; i++) {
            instances.add(new Instance());
        }
        assertThat(instances).allSatisfy(instance -> assertThat(instance.call()).isEqualTo("primary"));
    }

    @AfterEach
    void stop() {
        instances.forEach(Instance::close);
        instances.clear();
        store.close();
        told.clear();
        away = false;
        down = false;
    }

    @Test
    void what_all_have_found_out_alone_opens_the_row_once_and_no_visitor_pays_for_it() {
        away = true;
        failEverywhere();
        int before = visitors.get();
        away = false;

        instances.forEach(instance -> await(instance::findsTheStore));
        postgres.await("SELECT count(*) = 1 FROM distributed_breaker WHERE state = 'OPEN'");

        assertThat(visitors).hasValue(before);
        assertThat(postgres.query("SELECT from_state, to_state FROM distributed_breaker_transition"))
                .containsExactly("CLOSED OPEN");
        assertThat(postgres.query("SELECT consecutive_failures FROM distributed_breaker"))
                .containsExactly("3");
    }

    @Test
    void a_database_that_can_only_be_read_is_lost_once_until_it_can_be_written() { // C14
        postgres.execute("ALTER ROLE writer SET default_transaction_read_only = on");
        failEverywhere();
        int before = attempts.get();
        await(() -> {
            instances.forEach(Instance::findsTheStore);
            return attempts.get() >= before + 2 * INSTANCES;
        });
        assertThat(told).hasSize(INSTANCES).allMatch("lost DFB304"::equals);
        assertThat(instances).allMatch(instance -> instance.breaker.isOpen());

        postgres.execute("ALTER ROLE writer RESET default_transaction_read_only");
        instances.forEach(instance -> await(instance::findsTheStore));
        postgres.await("SELECT count(*) = 1 FROM distributed_breaker WHERE state = 'OPEN'");
        assertThat(told).hasSize(2 * INSTANCES);
    }

    /** The provider fails, and each instance opens for itself. */
    private void failEverywhere() {
        down = true;
        instances.forEach(instance -> await(() -> {
            assertThat(instance.call()).isEqualTo("fallback");
            return instance.breaker.isOpen();
        }));
    }

    private static void await(BooleanSupplier condition) {
        long end = System.nanoTime() + GIVE_UP.toNanos();
        while (!condition.getAsBoolean()) {
            assertThat(System.nanoTime()).as("given up").isLessThan(end);
            Thread.onSpinWait();
        }
    }

    private final class Instance implements BreakerListener, AutoCloseable {

        private final RealThreads threads = new RealThreads();
        private final CircuitBreakers breakers;
        private final CircuitBreaker breaker;

        Instance() {
            Timings patient = new Timings(
                    Duration.ofMillis(10), Duration.ofSeconds(30), Duration.ofSeconds(30), Duration.ofSeconds(30));
            breakers = new CircuitBreakers(
                    Optional.of(store),
                    new MemoryBreakerStore(System::nanoTime, Instant.EPOCH, "stand-in"),
                    new Surroundings(threads, System::nanoTime, this, patient),
                    new Application(
                            name -> POLICY,
                            Map.<String, ProbeCall>of("rawg", this::probe),
                            List.of(),
                            (breaker, retryAfter, why) -> new IllegalStateException(why)));
            breaker = breakers.get("rawg");
        }

        private boolean probe() throws IOException {
            if (down) {
                throw new IOException("HTTP 503");
            }
            return true;
        }

        String call() {
            try {
                return breaker.call(
                        () -> {
                            visitors.incrementAndGet();
                            probe();
                            return "primary";
                        },
                        () -> "fallback");
            } catch (Exception e) {
                throw new IllegalStateException(e);
            }
        }

        /** Looks for it without a visitor. */
        boolean findsTheStore() {
            breakers.readAhead();
            return breakers.copy().storeUp();
        }

        @Override
        public void storeLost(StoreException reason) {
            told.add("lost " + reason.code());
        }

        @Override
        public void storeBack(Duration away, int failures) {
            told.add("back");
        }

        @Override
        public void close() {
            breakers.close();
            threads.close();
        }
    }
}
