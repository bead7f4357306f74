package io.distributedfallback.store;

import io.distributedfallback.FailureKind;
import io.distributedfallback.core.Evidence;
import io.distributedfallback.core.Failures;
import io.distributedfallback.core.Policy;
import io.distributedfallback.core.SchemaMode;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

import static org.assertj.core.api.Assertions.assertThat;

/** Field cases of a store that instances share and that is well: whole engines on one PostgreSQL. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class SharedStoreFieldCasesTest {

    private static final String ROWS = "SELECT xmin, xmax, ctid, b::text FROM distributed_breaker b ORDER BY name";

    private static final Evidence FAILURE = Evidence.of(Failures.one(FailureKind.OUTAGE, "HTTP 503"));

    private final TestPostgres postgres = TestPostgres.newDatabase();
    private final List<AutoCloseable> open = new ArrayList<>();
    private final TestPool pool = new TestPool(postgres.dataSource(), "");

    /** Costly to make, and with no memory of its own: engines share it. */
    private final JpaBreakerStore shared = Provider.HIBERNATE.store(pool, SchemaMode.VALIDATE, "", "shared");

    @BeforeEach
    void start() {
        postgres.empty();
        new Definitions(postgres).runAll();
    }

    @AfterEach
    void stop() throws Exception {
        for (int i = open.size() - 1; i >= 0; i--) {
            open.get(i).close();
        }
        open.clear();
        pool.close();
    }

    @AfterAll
    void close() {
        shared.close();
    }

    private JpaBreakerStore store(SchemaMode schema) {
        JpaBreakerStore store = Provider.HIBERNATE.store(pool, schema, "", "instance " + open.size());
        open.add(store);
        return store;
    }

    private EngineInstance instance() {
        return instanceOn(shared);
    }

    private EngineInstance instanceOn(JpaBreakerStore store) {
        EngineInstance instance = new EngineInstance(store);
        open.add(instance);
        return instance;
    }

    @Test
    void an_instance_that_starts_while_the_breaker_is_open_leaves_opening_and_next_probe_as_they_are() { // C1
        EngineInstance first = instance();
        first.fail(3);
        List<String> before = postgres.query(ROWS);

        EngineInstance late = instance();
        for (int i = 0; i < 5; i++) {
            assertThat(late.call()).isEqualTo("fallback");
        }

        assertThat(late.visitors).hasValue(0);
        assertThat(postgres.query(ROWS)).hasSize(1).isEqualTo(before);
        assertThat(late.breaker().status().standing().openedAt())
                .isPresent()
                .isEqualTo(first.breaker().status().standing().openedAt());
        assertThat(late.breaker().status().recovery().untilNextProbe().orElseThrow())
                .isBetween(Duration.ofMillis(1), Duration.ofSeconds(15));
    }

    @ParameterizedTest
    @EnumSource(names = {"VALIDATE", "CREATE"})
    void of_thirty_two_instances_that_start_at_once_not_one_writes(SchemaMode schema) throws Exception { // C2
        shared.record("rawg", Evidence.of(new Failures(3, FailureKind.OUTAGE, "HTTP 503")), EngineInstance.PROBED);
        shared.record("igdb", FAILURE, EngineInstance.PROBED);
        List<JpaBreakerStore> stores =
                Stream.generate(() -> store(schema)).limit(4).toList();
        List<EngineInstance> instances = IntStream.range(0, 32)
                .mapToObj(i -> instanceOn(stores.get(i % stores.size())))
                .toList();
        List<String> before = postgres.query(ROWS);
        WrittenStatements written = new WrittenStatements(postgres);

        try (Together together = new Together(32)) {
            assertThat(together.run(i -> () ->
                            instances.get(i).call() + ", " + instances.get(i).call("steam")))
                    .containsOnly("fallback, primary");
        }

        assertThat(written.count()).isZero();
        assertThat(postgres.query(ROWS)).hasSize(2).isEqualTo(before);
        assertThat(instances).allSatisfy(instance -> assertThat(instance.losses).isEmpty());
    }

    @Test
    void an_instance_whose_clock_is_months_off_goes_by_the_databases_alone() throws Exception { // C6
        try (SteppedClock databases = new SteppedClock(postgres.dataSource());
                TestPool stepped = new TestPool(postgres.dataSource(), SteppedClock.USE);
                JpaBreakerStore store = Provider.HIBERNATE.store(stepped, SchemaMode.VALIDATE, "", "one");
                EngineInstance instance = new EngineInstance(store, EngineInstance.PATIENT, databases)) {
            instance.fail(3);
            assertThat(instance.breaker().status().standing().openedAt()).contains(databases.now());
            assertThat(instance.breaker().status().recovery().untilNextProbe()).contains(Duration.ofSeconds(15));

            databases.advance(Duration.ofMillis(14_999));
            assertThat(instance.call()).isEqualTo("fallback");
            assertThat(instance.breaker().status().recovery().untilNextProbe()).contains(Duration.ofMillis(1));
            assertThat(instance.probes).hasValue(0);

            for (int pass = 1; pass <= 3; pass++) {
                databases.advance(pass == 1 ? Duration.ofMillis(1) : Duration.ofSeconds(15));
                int passed = pass;
                awaitProbe(instance, databases, passed);
                postgres.await("SELECT state = 'CLOSED' OR consecutive_probe_successes = " + pass
                        + " FROM distributed_breaker");
            }
            EngineInstance.await(() -> instance.transitions.size() == 2);
            databases.advance(Duration.ofSeconds(3));
            EngineInstance.await(() -> instance.call().equals("primary"));
            assertThat(instance.probes).hasValue(3);
        }
    }

    /**
     * A call that comes while the probe before is still on its way back leaves the next one alone for a while: for ever,
     * if time stands still.
     */
    private static void awaitProbe(EngineInstance instance, SteppedClock clock, int number) {
        AtomicLong lookedNanos = new AtomicLong(System.nanoTime());
        EngineInstance.await(() -> {
            if (System.nanoTime() - lookedNanos.get() > TimeUnit.SECONDS.toNanos(2)) {
                lookedNanos.set(System.nanoTime());
                clock.advance(Duration.ofSeconds(1));
            }
            return instance.call().equals("fallback") && instance.probes.get() >= number;
        });
    }

    /** What becomes of the row between the read of one instance and its write. */
    enum Meanwhile {
        RESET,
        DELETED
    }

    @ParameterizedTest
    @EnumSource
    void a_count_that_ends_between_a_read_and_a_write_begins_anew_with_that_write(Meanwhile what) { // C7
        EngineInstance other = instance();
        other.fail(2);
        EngineInstance one = instance();
        one.call("steam");
        assertThat(one.failures()).isEqualTo(2);

        if (what == Meanwhile.RESET) {
            other.call();
            postgres.await("SELECT consecutive_failures = 0 FROM distributed_breaker");
        } else {
            postgres.execute("DELETE FROM distributed_breaker");
        }

        one.fail(1);
        assertThat(postgres.query("SELECT state, consecutive_failures FROM distributed_breaker"))
                .containsExactly("CLOSED 1");
        one.fail(2);
        assertThat(postgres.query("SELECT state, consecutive_failures FROM distributed_breaker"))
                .containsExactly("OPEN 3");
        assertThat(one.call()).isEqualTo("fallback");
    }

    @Test
    void of_failures_that_are_counted_while_others_delete_the_row_none_is_lost() throws Exception { // C7
        postgres.execute("CREATE TABLE deleted (failures integer);"
                + " CREATE FUNCTION note_deleted() RETURNS trigger LANGUAGE plpgsql AS"
                + " 'BEGIN INSERT INTO deleted VALUES (OLD.consecutive_failures); RETURN OLD; END';"
                + " CREATE TRIGGER note BEFORE DELETE ON distributed_breaker FOR EACH ROW"
                + " EXECUTE FUNCTION note_deleted()");
        Policy neverOpens =
                EngineInstance.PROBED.toBuilder().failureThreshold(1_000_000).build();
        CountDownLatch counting = new CountDownLatch(6);
        try (Together together = new Together(8)) {
            together.run(i -> () -> {
                while (i >= 6 && counting.getCount() > 0) {
                    postgres.execute("DELETE FROM distributed_breaker");
                }
                for (int n = 0; i < 6 && n < 50; n++) {
                    shared.record("rawg", FAILURE, neverOpens);
                }
                counting.countDown();
                return null;
            });
        }
        assertThat(postgres.query("SELECT (SELECT count(*) > 0 FROM deleted),"
                        + " COALESCE((SELECT sum(failures) FROM deleted), 0)"
                        + " + COALESCE((SELECT sum(consecutive_failures) FROM distributed_breaker), 0)"))
                .containsExactly("t 300");
    }

    @Test
    void a_million_healthy_calls_make_no_row_and_no_write() { // C12
        EngineInstance instance = instance();
        WrittenStatements written = new WrittenStatements(postgres);

        for (int i = 0; i < 1_000_000; i++) {
            instance.call();
        }

        assertThat(instance.visitors).hasValue(1_000_000);
        assertThat(written.count()).isZero();
        assertThat(postgres.query(ROWS)).isEmpty();
        assertThat(instance.losses).isEmpty();
    }
}
