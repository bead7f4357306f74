package io.distributedfallback.store;

import io.distributedfallback.FallbackLimit.Scope;
import io.distributedfallback.FallbackLimitedException;
import io.distributedfallback.core.BreakerListener;
import io.distributedfallback.core.FailureRules;
import io.distributedfallback.core.Fallback;
import io.distributedfallback.core.Policy;
import io.distributedfallback.core.SchemaMode;
import io.distributedfallback.core.StoreException;
import io.distributedfallback.core.Surroundings;
import io.distributedfallback.core.Timings;
import io.distributedfallback.limit.FallbackLimits;
import io.distributedfallback.limit.LimitSettings;
import io.distributedfallback.limit.LimitedMethod;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Clock;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.LongStream;
import javax.sql.DataSource;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import static org.assertj.core.api.Assertions.assertThat;

/** A limit for all of eight instances with far more calls than it lets pass, on one PostgreSQL, in real time. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
@Tag("storm")
class PermitRaceTest {

    private static final int INSTANCES = 8;
    private static final int STORES = 2;
    private static final double SECOND = 1e9;

    private final TestPostgres postgres = TestPostgres.newDatabase();
    private final List<JpaBreakerStore> stores = new ArrayList<>();
    private final Queue<Long> begun = new ConcurrentLinkedQueue<>();
    private final Queue<String> losses = new ConcurrentLinkedQueue<>();
    private final AtomicLong slowest = new AtomicLong();
    private final ThreadPoolExecutor fetches = (ThreadPoolExecutor) Executors.newCachedThreadPool();
    private RealThreads threads;
    private TestPool pool;
    private Cut database;

    @BeforeAll
    void start() {
        threads = new RealThreads(fetches);
        pool = new TestPool(postgres.dataSource(), "");
        database = new Cut(pool);
        for (int i = 0; i < STORES; i++) {
            stores.add(Provider.HIBERNATE.store(database, SchemaMode.CREATE, "", "store-" + i));
            stores.get(i).readAll();
        }
    }

    @AfterAll
    void stop() throws SQLException {
        threads.close();
        stores.forEach(JpaBreakerStore::close);
        pool.close();
    }

    @BeforeEach
    void forget() {
        postgres.execute("TRUNCATE distributed_fallback_permit");
        begun.clear();
        losses.clear();
        database.cut = false;
        database.asked.set(0);
    }

    /** A database that can be cut off. */
    private static final class Cut extends TestDataSource {

        private final DataSource source;
        private final AtomicInteger asked = new AtomicInteger();
        private volatile boolean cut;

        Cut(DataSource source) {
            this.source = source;
        }

        @Override
        public Connection getConnection() throws SQLException {
            if (cut) {
                throw new SQLException("cut off", "08001");
            }
            asked.incrementAndGet();
            return source.getConnection();
        }
    }

    private Fallback<Object, Object> instance(int number, LimitSettings settings) {
        BreakerListener listener = new BreakerListener() {
            @Override
            public void permitsLost(String limit, int share, StoreException reason) {
                losses.add(reason.code() + " " + share);
            }
        };
        FallbackLimits limits = new FallbackLimits(
                new Surroundings(threads, System::nanoTime, listener, Timings.DEFAULT),
                Optional.of(stores.get(number % STORES).permits()),
                Clock.systemUTC());
        FailureRules rules =
                new FailureRules("rawg", List.of(Throwable.class), List.of(), List.of(), new BreakerListener() {});
        return limits.over(
                (context, failure) -> {
                    begun.add(System.nanoTime());
                    return "answer";
                },
                settings,
                new LimitedMethod("rawg", rules, () -> Policy.DEFAULT, false));
    }

    /** Two callers on each instance, each with a call every two milliseconds. */
    private void load(int instances, LimitSettings settings, Duration time, Runnable halfway)
            throws InterruptedException {
        long start = System.nanoTime();
        long end = start + time.toNanos();
        ExecutorService callers = Executors.newFixedThreadPool(2 * INSTANCES);
        try {
            for (int i = 0; i < instances; i++) {
                Fallback<Object, Object> instance = instance(i, settings);
                for (int caller = 0; caller < 2; caller++) {
                    callers.execute(() -> callUntil(end, instance));
                }
            }
            callers.shutdown();
            assertThat(callers.awaitTermination(time.toMillis() / 2, TimeUnit.MILLISECONDS))
                    .isFalse();
            halfway.run();
            assertThat(callers.awaitTermination(30, TimeUnit.SECONDS)).isTrue();
        } finally {
            callers.shutdownNow();
        }
    }

    private void callUntil(long end, Fallback<Object, Object> instance) {
        while (System.nanoTime() - end < 0) {
            long called = System.nanoTime();
            try {
                Object unused = instance.answer("call", IllegalStateException::new);
                slowest.accumulateAndGet(System.nanoTime() - called, Math::max);
            } catch (FallbackLimitedException limited) {
                slowest.accumulateAndGet(System.nanoTime() - called, Math::max);
                LockSupport.parkNanos(2_000_000);
            } catch (Throwable unexpected) {
                throw new IllegalStateException(unexpected);
            }
        }
    }

    private static LimitSettings limit(int perSecond) {
        return limit(perSecond, LimitSettings.leastBurstOfCluster(perSecond));
    }

    private static LimitSettings limit(int perSecond, int burst) {
        return new LimitSettings("igdb", perSecond, Scope.CLUSTER, burst, 0, Duration.ZERO);
    }

    @ParameterizedTest
    @CsvSource({"8, 20, 2, 2000", "8, 400, 40, 2000", "1, 400, 150, 1000"})
    void all_together_use_the_cap_and_never_more(int instances, int perSecond, int burst, int millis)
            throws InterruptedException {
        LimitSettings settings = limit(perSecond, burst);
        long start = System.nanoTime();
        load(instances, settings, Duration.ofMillis(millis), () -> {});
        double seconds = (System.nanoTime() - start) / SECOND;

        long[] moments = begun.stream().mapToLong(Long::longValue).sorted().toArray();
        assertThat((double) moments.length)
                .as("from the start on: what was handed out")
                .isLessThanOrEqualTo(perSecond * seconds + settings.burst())
                .isGreaterThan(perSecond * millis / 1000.0 * 0.9);
        for (double window : new double[] {0.1, 0.5, 1}) {
            assertThat((double) mostIn(moments, (long) (window * SECOND)))
                    .as(
                            "in any %s s: blocks are good for 0.25 s after an answer, which takes 0.1 s at most here",
                            window)
                    .isLessThanOrEqualTo(perSecond * (window + 0.35) + settings.burst());
        }
        assertThat(losses).isEmpty();
        assertThat(database.asked.get() / seconds / instances)
                .as("statements a second for each instance")
                .isLessThan(25 + perSecond / 4.0 / instances);
    }

    private static long mostIn(long[] moments, long window) {
        return LongStream.of(moments)
                .map(from -> LongStream.of(moments)
                        .filter(moment -> moment >= from && moment - from < window)
                        .count())
                .max()
                .orElse(0);
    }

    @Test
    void when_the_calls_end_nothing_is_written_any_more() throws InterruptedException {
        load(INSTANCES, limit(400), Duration.ofMillis(300), () -> {});
        String read = "SELECT refilled_at FROM distributed_fallback_permit";
        // One that has been handed over need not be active yet.
        while (fetches.getCompletedTaskCount() < fetches.getTaskCount()) {
            Thread.onSpinWait();
        }
        List<String> after = postgres.query(read);
        LockSupport.parkNanos(300_000_000);
        assertThat(postgres.query(read)).isEqualTo(after).hasSize(1);
    }

    @Test
    void while_the_database_hangs_nobody_waits_for_it_and_they_go_on_with_their_shares() throws Exception {
        try (Connection holder = postgres.dataSource().getConnection()) {
            holder.setAutoCommit(false);
            List<Integer> before = new ArrayList<>();
            load(INSTANCES, limit(400), Duration.ofMillis(3400), () -> {
                try (Statement statement = holder.createStatement()) {
                    boolean unused = statement.execute("SELECT * FROM distributed_fallback_permit FOR UPDATE");
                } catch (SQLException e) {
                    throw new IllegalStateException(e);
                }
                slowest.set(0);
                before.add(begun.size());
            });
            holder.rollback();
            assertThat(Duration.ofNanos(slowest.get())).isLessThan(Duration.ofMillis(400));
            assertThat(begun.size() - before.get(0))
                    .as("after a second that it takes to notice, %s", losses)
                    .isBetween(80, 400 * 2);
            assertThat(losses).hasSize(INSTANCES).allMatch(loss -> loss.startsWith("DFB305"));
        }
    }

    @Test
    void while_the_database_is_away_they_go_on_with_their_shares_of_the_cap() throws InterruptedException {
        List<Integer> before = new ArrayList<>();
        long start = System.nanoTime();
        load(INSTANCES, limit(400), Duration.ofSeconds(3), () -> {
            database.cut = true;
            before.add(begun.size());
        });
        double seconds = (System.nanoTime() - start) / SECOND - 1.5;
        assertThat((double) begun.size() - before.get(0))
                .as("%s", losses)
                .isLessThanOrEqualTo(400 * (seconds + 0.35) + 2 * 40)
                .isGreaterThan(400 * 1.2 * 0.5);
        assertThat(losses).hasSize(INSTANCES).allMatch(loss -> loss.startsWith("DFB302"));
    }
}
