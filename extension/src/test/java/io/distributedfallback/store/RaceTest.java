package io.distributedfallback.store;

import io.distributedfallback.FailureKind;
import io.distributedfallback.core.BreakerRow;
import io.distributedfallback.core.Change;
import io.distributedfallback.core.Evidence;
import io.distributedfallback.core.Failures;
import io.distributedfallback.core.Policy;
import io.distributedfallback.core.ProbeVerdict;
import io.distributedfallback.core.SchemaMode;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.Random;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

import static org.assertj.core.api.Assertions.assertThat;

/** Instances that do the same thing to the same row at the same moment, each thread on a connection of its own. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
@Tag("storm")
class RaceTest {

    private static final int INSTANCES = 4;
    private static final Failures FAILURE = Failures.one(FailureKind.OUTAGE, "HTTP 500");
    private static final Policy NEVER_OPENS =
            Policy.DEFAULT.toBuilder().failureThreshold(1_000_000).build();

    private final TestPostgres postgres = TestPostgres.newDatabase();

    @BeforeEach
    void empty() {
        postgres.empty();
    }

    @ParameterizedTest
    @CsvSource({"HIBERNATE, 8", "HIBERNATE, 32", "ECLIPSELINK, 8", "ECLIPSELINK, 32"})
    void counts_every_failure_when_many_fail_together(Provider provider, int threads) throws Exception {
        try (Cluster cluster = new Cluster(provider, "");
                Together together = new Together(threads)) {
            together.run(i -> () -> IntStream.range(0, 25)
                    .mapToObj(n -> cluster.instance(i)
                            .record("rawg", Evidence.of(FAILURE), NEVER_OPENS)
                            .orElseThrow())
                    .toList());

            assertThat(postgres.query("SELECT state, consecutive_failures FROM distributed_breaker"))
                    .containsExactly("CLOSED " + threads * 25);
        }
    }

    @ParameterizedTest
    @CsvSource({"HIBERNATE, 8", "HIBERNATE, 32", "ECLIPSELINK, 8", "ECLIPSELINK, 32"})
    void opens_once_when_many_fail_together(Provider provider, int threads) throws Exception {
        try (Cluster cluster = new Cluster(provider, "");
                Together together = new Together(threads)) {
            for (int round = 0; round < 20; round++) {
                String breaker = "rawg" + round;

                List<Change> changes = together.run(i -> () -> cluster.instance(i)
                        .record(
                                breaker,
                                Evidence.of(FAILURE),
                                Policy.DEFAULT.toBuilder().failureThreshold(5).build())
                        .orElseThrow());

                List<Change> openings = changes.stream()
                        .filter(change -> change.transition().isPresent())
                        .toList();
                assertThat(openings).hasSize(1);
                assertThat(openings.get(0).row().standing().consecutiveFailures())
                        .isEqualTo(5);
                assertThat(postgres.query(
                                "SELECT instance, version FROM distributed_breaker_transition WHERE breaker = '"
                                        + breaker + "'"))
                        .containsExactly(
                                openings.get(0).transition().orElseThrow().instance() + " "
                                        + openings.get(0).row().version());
                assertThat(postgres.query("SELECT state, consecutive_failures FROM distributed_breaker WHERE name = '"
                                + breaker + "'"))
                        .containsExactly("OPEN 5");
            }
        }
    }

    /** Each write carries two failures before a success and one after it, so of each row of failures little is left. */
    @ParameterizedTest
    @EnumSource(Provider.class)
    void counts_every_call_of_a_window_when_eight_instances_bring_evidence_with_runs(Provider provider)
            throws Exception {
        Policy countsAll = NEVER_OPENS.toBuilder()
                .failureRatio(OptionalDouble.of(1))
                .window(Duration.ofHours(1))
                .build();
        try (Cluster cluster = new Cluster(provider, "", 8);
                Together together = new Together(8)) {
            cluster.instance(0).record("rawg", Evidence.of(FAILURE), countsAll);
            together.run(i -> () -> IntStream.range(0, 50)
                    .mapToObj(n -> cluster.instance(i)
                            .record("rawg", evidence(4, 2, 2, 1, 3), countsAll)
                            .orElseThrow())
                    .toList());

            assertThat(postgres.query("SELECT state, consecutive_failures, window_calls, window_failures,"
                            + " cardinality(failing_instances) FROM distributed_breaker"))
                    .containsExactly("CLOSED 1 1601 1201 8");
        }
    }

    @ParameterizedTest
    @EnumSource(Provider.class)
    void opens_once_by_the_ratio_and_the_quorum_when_eight_instances_bring_evidence_with_runs(Provider provider)
            throws Exception {
        Policy half = NEVER_OPENS.toBuilder()
                .failureRatio(OptionalDouble.of(0.5))
                .window(Duration.ofHours(1))
                .minimumCalls(20)
                .quorum(5)
                .build();
        try (Cluster cluster = new Cluster(provider, "", 8);
                Together together = new Together(8)) {
            for (int round = 0; round < 20; round++) {
                String breaker = "rawg" + round;

                List<Change> changes = together.run(i -> () -> cluster.instance(i)
                        .record(breaker, evidence(4, 2, 2, 1, 3), half)
                        .orElseThrow());

                List<Change> openings = changes.stream()
                        .filter(change -> change.transition().isPresent())
                        .toList();
                assertThat(openings).singleElement().satisfies(opening -> {
                    assertThat(opening.row().window().calls()).isEqualTo(20);
                    assertThat(opening.row().window().failures()).isEqualTo(15);
                    assertThat(opening.row().standing().failingInstances()).hasSize(5);
                });
                assertThat(postgres.query("SELECT cause, evidence_count, instance, version"
                                + " FROM distributed_breaker_transition WHERE breaker = '" + breaker + "'"))
                        .containsExactly("FAILURE_RATIO 15 "
                                + openings.get(0).transition().orElseThrow().instance() + " "
                                + openings.get(0).row().version());
            }
        }
    }

    @Test
    void a_row_that_instances_retire_while_others_count_in_it_never_takes_a_version_twice() throws Exception {
        try (Cluster cluster = new Cluster(Provider.HIBERNATE, "", 8);
                Together together = new Together(8)) {
            AtomicInteger retired = new AtomicInteger();
            List<Long> versions = new ArrayList<>();
            for (int round = 0; round < 25; round++) {
                // What is retired has been left alone for longer than a write takes.
                postgres.query("SELECT pg_sleep(0.06)");
                versions.addAll(together
                        .run(i -> () -> {
                            if (i < 6) {
                                return cluster.instance(i).record("rawg", Evidence.of(FAILURE), NEVER_OPENS);
                            }
                            retired.addAndGet(cluster.instance(i).retire(Duration.ofMillis(50)));
                            return Optional.<Change>empty();
                        })
                        .stream()
                        .flatMap(Optional::stream)
                        .map(change -> change.row().version())
                        .sorted()
                        .toList());
            }

            assertThat(retired).hasPositiveValue();
            assertThat(versions).hasSize(25 * 6).doesNotHaveDuplicates().isSorted();
        }
    }

    private static Evidence evidence(int calls, int firstRun, int longestRun, int lastRun, int failures) {
        return new Evidence(
                calls,
                firstRun,
                longestRun,
                lastRun,
                Optional.of(new Failures(failures, FailureKind.OUTAGE, "HTTP 500")));
    }

    @Test
    void counts_every_failure_on_a_data_source_that_gives_a_stricter_isolation() throws Exception {
        try (Cluster cluster =
                        new Cluster(Provider.HIBERNATE, "SET default_transaction_isolation = 'repeatable read'");
                Together together = new Together(8)) {
            together.run(i -> () -> IntStream.range(0, 25)
                    .mapToObj(n -> cluster.instance(i)
                            .record("rawg", Evidence.of(FAILURE), NEVER_OPENS)
                            .orElseThrow())
                    .toList());

            assertThat(postgres.query("SELECT consecutive_failures FROM distributed_breaker"))
                    .containsExactly("200");
        }
    }

    @Test
    void counts_both_of_two_failures_in_the_same_microsecond() throws Exception {
        try (SteppedClock frozen = new SteppedClock(postgres.dataSource());
                Cluster cluster = new Cluster(Provider.HIBERNATE, SteppedClock.USE);
                Together together = new Together(2)) {
            for (int round = 1; round <= 50; round++) {
                List<Change> changes = together.run(i -> () -> cluster.instance(i)
                        .record("rawg", Evidence.of(FAILURE), NEVER_OPENS)
                        .orElseThrow());

                assertThat(changes.stream()
                                .map(change -> change.row().version())
                                .distinct())
                        .hasSize(2);
                assertThat(cluster.instance(0).readAll().get(0).standing().consecutiveFailures())
                        .isEqualTo(2 * round);
            }
            assertThat(frozen.now()).isEqualTo(SteppedClock.START);
        }
    }

    @ParameterizedTest
    @EnumSource(Provider.class)
    void gives_a_due_lease_to_one_of_fifty(Provider provider) throws Exception {
        Policy policy = Policy.DEFAULT.toBuilder().probeInterval(Duration.ZERO).build();
        try (Cluster cluster = new Cluster(provider, "");
                Together together = new Together(50)) {
            cluster.instance(0).record("rawg", Evidence.of(new Failures(3, FailureKind.OUTAGE, "HTTP 500")), policy);
            long last = 0;
            for (int round = 0; round < 20; round++) {
                List<Optional<Change>> answers =
                        together.run(i -> () -> cluster.instance(i).acquireProbe("rawg", policy));

                List<Long> tokens = answers.stream()
                        .flatMap(Optional::stream)
                        .map(grant -> grant.row().recovery().token())
                        .toList();
                assertThat(tokens).hasSize(1);
                assertThat(tokens.get(0)).isGreaterThan(last);
                last = tokens.get(0);
                assertThat(cluster.instance(round).reportProbe("rawg", last, ProbeVerdict.ABANDONED, policy))
                        .isPresent();
            }
        }
    }

    @ParameterizedTest
    @EnumSource(Provider.class)
    void leaves_one_chain_of_transitions_when_instances_trip_reset_and_close_together(Provider provider)
            throws Exception {
        Policy policy = Policy.DEFAULT.toBuilder()
                .failureThreshold(2)
                .probeSuccesses(1)
                .probeInterval(Duration.ZERO)
                .probeLease(Duration.ofMillis(2))
                .build();
        try (Cluster cluster = new Cluster(provider, "");
                Together together = new Together(12)) {
            List<List<Change>> answers = together.run(i -> () -> turmoil(cluster.instance(i), policy, new Random(i)));

            List<String> won = answers.stream()
                    .flatMap(List::stream)
                    .map(change -> change.transition().map(made -> change.row().version() + " " + made.instance()))
                    .flatMap(Optional::stream)
                    .toList();
            List<String> history =
                    postgres.query("SELECT version, instance FROM distributed_breaker_transition ORDER BY id");
            assertThat(won).hasSizeGreaterThan(50).containsExactlyInAnyOrderElementsOf(history);
            assertThat(postgres.query("SELECT version, instance FROM distributed_breaker_transition ORDER BY version"))
                    .isEqualTo(history);
            assertThat(postgres.query("SELECT t.id FROM (SELECT id, from_state,"
                            + " lag(to_state, 1, 'CLOSED') OVER (ORDER BY id) AS before"
                            + " FROM distributed_breaker_transition) AS t WHERE t.from_state <> t.before"))
                    .isEmpty();
            assertThat(postgres.query("SELECT to_state FROM distributed_breaker_transition ORDER BY id DESC LIMIT 1"))
                    .isEqualTo(postgres.query("SELECT state FROM distributed_breaker"));
            assertThat(answers.stream().flatMap(List::stream).map(Change::row).filter(BreakerRow::isOpen))
                    .allMatch(row -> row.standing().consecutiveFailures() >= 2, "no success reset an open breaker");
            List<Long> versions = answers.stream()
                    .flatMap(List::stream)
                    .map(Change::row)
                    .filter(row -> !row.isOpen()) // a failure that finds it open changes nothing
                    .map(BreakerRow::version)
                    .toList();
            assertThat(new HashSet<>(versions)).hasSameSizeAs(versions);
        }
    }

    private static List<Change> turmoil(JpaBreakerStore store, Policy policy, Random random) {
        List<Change> changes = new ArrayList<>();
        for (int n = 0; n < 400; n++) {
            switch (random.nextInt(4)) {
                case 0, 1 ->
                    changes.add(
                            store.record("rawg", Evidence.of(FAILURE), policy).orElseThrow());
                case 2 -> store.record("rawg", Evidence.SUCCESS, Policy.DEFAULT).ifPresent(changes::add);
                default ->
                    store.acquireProbe("rawg", policy).ifPresent(grant -> {
                        changes.add(grant);
                        long token = grant.row().recovery().token();
                        store.reportProbe("rawg", token, ProbeVerdict.PASS, policy)
                                .ifPresent(changes::add);
                    });
            }
        }
        return changes;
    }

    @Test
    void creates_the_tables_once_when_sixteen_instances_start_together() throws Exception {
        try (Together together = new Together(16)) {
            for (int round = 0; round < 2; round++) {
                postgres.empty();
                List<JpaBreakerStore> stores = IntStream.range(0, 16)
                        .mapToObj(i ->
                                (i % 2 == 0 ? Provider.HIBERNATE : Provider.ECLIPSELINK).store(postgres.dataSource()))
                        .toList();

                together.run(i -> () -> stores.get(i)
                        .record("rawg", Evidence.of(FAILURE), NEVER_OPENS)
                        .orElseThrow());

                assertThat(stores.get(0).readAll().get(0).standing().consecutiveFailures())
                        .isEqualTo(16);
                stores.forEach(JpaBreakerStore::close);
            }
        }
    }

    /** Some instances over one pool that is as large as need be. */
    private final class Cluster implements AutoCloseable {

        private final TestPool pool;
        private final List<JpaBreakerStore> stores;

        Cluster(Provider provider, String preparation) {
            this(provider, preparation, INSTANCES);
        }

        Cluster(Provider provider, String preparation, int instances) {
            pool = new TestPool(postgres.dataSource(), preparation);
            stores = Stream.iterate(0, i -> i + 1)
                    .limit(instances)
                    .map(i -> provider.store(pool, SchemaMode.CREATE, "", "instance-" + i))
                    .toList();
        }

        JpaBreakerStore instance(int thread) {
            return Objects.requireNonNull(stores.get(thread % stores.size()));
        }

        @Override
        public void close() throws SQLException {
            stores.forEach(JpaBreakerStore::close);
            pool.close();
        }
    }
}
