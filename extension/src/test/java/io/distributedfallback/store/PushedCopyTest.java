package io.distributedfallback.store;

import io.distributedfallback.PushState;
import io.distributedfallback.core.Application;
import io.distributedfallback.core.BreakerListener;
import io.distributedfallback.core.BreakerStore;
import io.distributedfallback.core.CircuitBreakers;
import io.distributedfallback.core.MemoryBreakerStore;
import io.distributedfallback.core.PolicyBuilder;
import io.distributedfallback.core.SchemaMode;
import io.distributedfallback.core.StoreException;
import io.distributedfallback.core.Surroundings;
import io.distributedfallback.core.Timings;
import java.io.IOException;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Queue;
import java.util.concurrent.Callable;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.BooleanSupplier;
import javax.sql.DataSource;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;

import static org.assertj.core.api.Assertions.assertThat;

/** Whole engines on one PostgreSQL whose copies never get old: what one does is known to another by being pushed. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class PushedCopyTest {

    private static final long GIVE_UP_NANOS = TimeUnit.SECONDS.toNanos(30);

    private final TestPostgres postgres = TestPostgres.newDatabase();
    private final List<Instance> instances = new ArrayList<>();

    @BeforeEach
    void empty() {
        postgres.empty();
    }

    @AfterEach
    void stop() throws SQLException {
        for (Instance instance : instances) {
            instance.close();
        }
        instances.clear();
    }

    private Instance start(boolean push) throws Exception {
        TestPool pool = new TestPool(postgres.dataSource(), "");
        return start(push, pool, pool);
    }

    private Instance start(boolean push, DataSource feeding, TestPool pool) throws Exception {
        Instance instance = new Instance(push, feeding, pool);
        instances.add(instance);
        instance.call(() -> "primary");
        return instance;
    }

    private static void await(String what, BooleanSupplier condition) {
        long end = System.nanoTime() + GIVE_UP_NANOS;
        while (!condition.getAsBoolean()) {
            assertThat(System.nanoTime()).as("never " + what).isLessThan(end);
            Thread.onSpinWait();
        }
    }

    @Test
    void what_one_opens_is_open_on_another_that_gets_no_call() throws Exception {
        Instance listening = start(true);
        Instance failing = start(false);
        await("listening", listening::isListening);
        failing.open();
        await("open", listening::isOpen);
        assertThat(listening.breakers.copy().age())
                .hasValueSatisfying(age -> assertThat(age).isLessThan(Duration.ofSeconds(30)));
    }

    @Test
    void what_is_not_pushed_waits_for_the_next_read() throws Exception {
        Instance deaf = start(false);
        Instance listening = start(true);
        await("listening", listening::isListening);
        start(false).open();
        await("open", listening::isOpen);
        assertThat(deaf.isOpen()).isFalse();
        assertThat(deaf.breakers.copy().push()).isEqualTo(PushState.OFF);
        assertThat(deaf.reads.get()).isEqualTo(1);
    }

    @Test
    void after_its_session_was_terminated_it_listens_again_and_has_what_it_missed() throws Exception {
        Instance listening = start(true);
        Instance failing = start(false);
        await("listening", listening::isListening);
        postgres.execute("SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = current_database()"
                + " AND query = 'LISTEN distributed_breaker'");
        failing.open();
        await("open", listening::isOpen);
        await("listening", listening::isListening);
        assertThat(listening.told).isNotEmpty();
    }

    @Test
    void ten_thousand_notifications_cost_few_reads() throws Exception {
        Instance listening = start(true);
        await("listening", listening::isListening);
        await("caught up", () -> listening.reads.get() == 2);
        int before = listening.reads.get();
        long begun = System.nanoTime();
        // Each in a transaction of its own: in one, equal ones would be sent once.
        postgres.execute(
                "DO $$ BEGIN FOR i IN 1..10000 LOOP PERFORM pg_notify('distributed_breaker', 'b' || i); COMMIT;"
                        + " END LOOP; END $$");
        start(false).open();
        await("open", listening::isOpen);
        long tookMillis = TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - begun);
        assertThat(listening.reads.get() - before).isBetween(1, (int) (tookMillis / 20) + 2);
    }

    @Test
    void behind_a_pooler_by_transaction_it_is_unavailable_and_polling_goes_on() throws Exception {
        TestPool pool = new TestPool(postgres.dataSource(), "");
        Instance listening = start(true, ListeningPools.pooledByTransaction(pool), pool);
        await("unavailable", () -> listening.breakers.copy().push() == PushState.UNAVAILABLE);
        assertThat(listening.told).hasSize(1);
        start(false).open();
        listening.breakers.readAhead(); // too early: the copy is fresh
        assertThat(listening.isOpen()).isFalse();
        assertThat(listening.breakers.copy().storeUp()).isTrue();
        assertThat(listening.call(() -> "primary")).isEqualTo("primary");
    }

    @Test
    void stopping_returns_all_threads_at_once_and_leaves_a_pool_that_does_not_listen() throws Exception {
        Instance listening = start(true);
        await("listening", listening::isListening);
        listening.breakers.close();
        assertThat(listening.threads.stop()).isLessThan(Duration.ofSeconds(1));
        try (var connection = listening.pool.getConnection();
                var statement = connection.createStatement();
                var channels = statement.executeQuery("SELECT pg_listening_channels()")) {
            assertThat(channels.next()).isFalse();
        }
        assertThat(listening.told).isEmpty();
    }

    private static final class Instance implements BreakerListener {

        private final RealThreads threads = new RealThreads();
        private final Queue<String> told = new ConcurrentLinkedQueue<>();
        private final AtomicInteger reads = new AtomicInteger();
        private final TestPool pool;
        private final JpaBreakerStore store;
        private final CircuitBreakers breakers;

        Instance(boolean push, DataSource feeding, TestPool pool) {
            this.pool = pool;
            store = Provider.HIBERNATE.store(pool, SchemaMode.CREATE, "", "one");
            breakers = new CircuitBreakers(
                    Optional.of(counted()),
                    new MemoryBreakerStore(System::nanoTime, Instant.EPOCH, "stand-in"),
                    new Surroundings(
                            threads,
                            System::nanoTime,
                            this,
                            new Timings(
                                    Duration.ofHours(1),
                                    Duration.ofHours(2),
                                    Duration.ofSeconds(30),
                                    Duration.ofSeconds(30))),
                    new Application(
                            name -> new PolicyBuilder().build(),
                            Map.of(),
                            List.of(),
                            (breaker, retryAfter, why) -> new IllegalStateException(why)));
            if (push) {
                JpaStoreSettings settings = new JpaStoreSettings(
                        () -> feeding, "jdbc/breakers", SchemaMode.NONE, "", "one", Duration.ofSeconds(1));
                breakers.listenTo(new NotifyFeed(settings, threads, System::nanoTime), false);
            }
        }

        private BreakerStore counted() {
            return (BreakerStore) Proxy.newProxyInstance(
                    getClass().getClassLoader(), new Class<?>[] {BreakerStore.class}, (proxy, method, arguments) -> {
                        if (method.getName().equals("readAll")) {
                            reads.incrementAndGet();
                        }
                        try {
                            return method.invoke(store, arguments);
                        } catch (InvocationTargetException thrown) {
                            throw thrown.getCause();
                        }
                    });
        }

        String call(Callable<String> primary) throws Exception {
            return breakers.get("rawg").call(primary, () -> "fallback");
        }

        void open() throws Exception {
            for (int i = 0; i < 3; i++) {
                assertThat(call(() -> {
                            throw new IOException("HTTP 503");
                        }))
                        .isEqualTo("fallback");
            }
            assertThat(isOpen()).isTrue();
        }

        boolean isOpen() {
            return breakers.get("rawg").isOpen();
        }

        boolean isListening() {
            return breakers.copy().push() == PushState.LISTENING;
        }

        @Override
        public void notListening(StoreException reason, boolean insisted) {
            told.add(reason.getMessage());
        }

        void close() throws SQLException {
            breakers.close();
            threads.close();
            store.close();
            pool.close();
        }
    }
}
