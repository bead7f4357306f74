package io.distributedfallback.store;

import io.distributedfallback.BreakerTransition;
import io.distributedfallback.FailureKind;
import io.distributedfallback.OperatorCommand;
import io.distributedfallback.OperatorCommand.Action;
import io.distributedfallback.core.BreakerStore;
import io.distributedfallback.core.Change;
import io.distributedfallback.core.Evidence;
import io.distributedfallback.core.Failures;
import io.distributedfallback.core.HistoryEntry;
import io.distributedfallback.core.HistoryQuery;
import io.distributedfallback.core.Policy;
import io.distributedfallback.core.ProbeVerdict;
import io.distributedfallback.core.SchemaMode;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Random;
import java.util.function.Consumer;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.postgresql.PGConnection;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Operators and instances that write the same rows at the same moment, each thread with a store of its own. {@code
 * -Dstorm.seconds=300} has the storm last longer.
 */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
@Tag("storm")
class CommandRaceTest {

    private static final int INSTANCES = 8;
    private static final List<String> BREAKERS = List.of("rawg", "igdb", "jikan");
    private static final Duration STORM = Duration.ofSeconds(Integer.getInteger("storm.seconds", 10));
    private static final Policy POLICY = Policy.DEFAULT.toBuilder()
            .failureThreshold(3)
            .probeSuccesses(1)
            .probeInterval(Duration.ofMillis(1))
            .build();

    private final TestPostgres postgres = TestPostgres.newDatabase();
    private final List<JpaBreakerStore> stores = new ArrayList<>();
    private TestPool pool;

    @BeforeEach
    void start() {
        postgres.empty();
        pool = new TestPool(postgres.dataSource(), "");
        IntStream.range(0, INSTANCES)
                .mapToObj(i -> (i % 2 == 0 ? Provider.HIBERNATE : Provider.ECLIPSELINK)
                        .store(pool, SchemaMode.CREATE, "", "instance-" + i))
                .forEach(stores::add);
        stores.forEach(BreakerStore::readAll);
    }

    @AfterEach
    void stop() throws SQLException {
        stores.forEach(JpaBreakerStore::close);
        stores.clear();
        pool.close();
    }

    @Test
    void of_the_same_command_from_eight_operators_at_once_one_wins_and_all_are_in_the_audit() throws Exception { // E2
        try (Together together = new Together(INSTANCES)) {
            for (int round = 0; round < 20; round++) {
                String breaker = "rawg" + round;
                together.run(i -> () -> stores.get(i)
                        .command(
                                breaker,
                                new OperatorCommand(Action.FORCE_OPEN, "operator " + i, "down", Optional.empty())));

                List<HistoryEntry> audit = stores.get(0)
                        .history(new HistoryQuery(Optional.of(breaker), OptionalLong.empty(), HistoryQuery.MOST));
                assertThat(audit).hasSize(INSTANCES);
                assertThat(audit.stream()
                                .map(entry -> entry.command().orElseThrow().by()))
                        .doesNotHaveDuplicates();
                assertThat(audit.stream()
                                .filter(entry -> entry.command()
                                        .orElseThrow()
                                        .overrideBefore()
                                        .isEmpty()))
                        .as("one found it free")
                        .hasSize(1);
                assertThat(postgres.query("SELECT override_by FROM distributed_breaker WHERE name = '" + breaker + "'"))
                        .as("the last one holds")
                        .containsExactly(audit.get(0).command().orElseThrow().by());
            }
        }
    }

    @Test
    void after_a_storm_the_history_has_one_row_for_each_transition_told_and_each_command_and_no_gap() throws Exception {
        long seed = new Random().nextLong();
        System.out.println("storm: seed " + seed);
        List<Change> told;
        int heard;
        try (Connection listener = postgres.dataSource().getConnection();
                Together together = new Together(INSTANCES)) {
            execute(listener, "LISTEN distributed_breaker");
            long end = System.nanoTime() + STORM.toNanos();
            told = together
                    .run(i -> () -> {
                        List<Change> changes = new ArrayList<>();
                        Random random = new Random(seed + i);
                        while (System.nanoTime() < end) {
                            act(stores.get(i), BREAKERS.get(random.nextInt(3)), random, changes::add);
                        }
                        return changes;
                    })
                    .stream()
                    .flatMap(List::stream)
                    .toList();
            execute(listener, "SELECT 1");
            heard = listener.unwrap(PGConnection.class).getNotifications().length;
        }
        List<String> transitions = told.stream()
                .flatMap(change -> change.transition().stream())
                .map(CommandRaceTest::line)
                .sorted()
                .toList();
        long commands =
                told.stream().filter(change -> change.commanded().isPresent()).count();
        System.out.println("storm: " + transitions.size() + " transitions, " + commands + " commands, " + heard
                + " notifications in " + STORM.toSeconds() + " s");

        assertThat(transitions).hasSizeGreaterThan(10).doesNotHaveDuplicates();
        assertThat(postgres
                        .query("SELECT breaker, from_state, to_state, cause, instance,"
                                + " CAST(extract(epoch FROM made_at) * 1000000 AS bigint)"
                                + " FROM distributed_breaker_transition WHERE from_state <> to_state")
                        .stream()
                        .sorted()
                        .toList())
                .as("one row for each transition told")
                .isEqualTo(transitions);
        assertThat(postgres.query(
                        "SELECT count(*) FROM distributed_breaker_transition WHERE commanded_action IS NOT NULL"))
                .containsExactly(String.valueOf(commands));
        assertThat(postgres.query("SELECT count(*) FROM distributed_breaker_transition"))
                .as("each entry wakes those who listen, and nothing else does")
                .containsExactly(String.valueOf(heard));
        assertThat(postgres.query("SELECT * FROM (SELECT id, breaker, from_state,"
                        + " lag(to_state, 1, 'CLOSED') OVER (PARTITION BY breaker ORDER BY id) AS before"
                        + " FROM distributed_breaker_transition) AS chain WHERE from_state <> before"))
                .as("each starts where the one before it ended")
                .isEmpty();
        assertThat(
                        postgres.query(
                                "SELECT id, breaker FROM (SELECT id, breaker, made_at, from_override,"
                                        + " lag(to_override) OVER w AS before, lag(override_until) OVER w AS until"
                                        + " FROM distributed_breaker_transition WHERE commanded_action IS NOT NULL"
                                        + " WINDOW w AS (PARTITION BY breaker ORDER BY id)) AS chain"
                                        + " WHERE from_override IS DISTINCT FROM CASE WHEN COALESCE(until > made_at, TRUE) THEN before END"))
                .as("an override ends by a command or when it says")
                .isEmpty();
        assertThat(postgres.query("SELECT breaker FROM (SELECT DISTINCT ON (breaker) breaker, to_state"
                        + " FROM distributed_breaker_transition ORDER BY breaker, id DESC) AS last"
                        + " LEFT JOIN distributed_breaker AS b ON b.name = last.breaker"
                        + " WHERE to_state <> COALESCE(b.state, 'CLOSED')"))
                .as("and the row is where the last one ended")
                .isEmpty();
    }

    private static void act(JpaBreakerStore store, String breaker, Random random, Consumer<Change> changes) {
        switch (random.nextInt(12)) {
            case 0, 1, 2, 3, 4 ->
                store.record(breaker, Evidence.of(Failures.one(FailureKind.OUTAGE, "HTTP 503")), POLICY)
                        .ifPresent(changes);
            case 5 -> store.record(breaker, Evidence.SUCCESS, POLICY).ifPresent(changes);
            case 6, 7, 8, 9 ->
                store.acquireProbe(breaker, POLICY).ifPresent(grant -> {
                    changes.accept(grant);
                    ProbeVerdict verdict = random.nextInt(4) > 0 ? ProbeVerdict.PASS : ProbeVerdict.FAIL;
                    store.reportProbe(breaker, grant.row().recovery().token(), verdict, POLICY)
                            .ifPresent(changes);
                });
            case 10 -> {
                Action action = random.nextInt(8) > 0
                        ? List.of(Action.CLEAR_OVERRIDE, Action.RESET).get(random.nextInt(2))
                        : List.of(Action.FORCE_OPEN, Action.FORCE_CLOSED).get(random.nextInt(2));
                Optional<Duration> expiry = action == Action.FORCE_OPEN || action == Action.FORCE_CLOSED
                        ? Optional.of(Duration.ofSeconds(1))
                        : Optional.empty();
                changes.accept(store.command(breaker, new OperatorCommand(action, "ann", "storm", expiry)));
            }
            default -> store.retire(Duration.ZERO);
        }
    }

    private static String line(BreakerTransition made) {
        return String.join(
                " ",
                made.breaker(),
                made.from().name(),
                made.to().name(),
                made.cause().name(),
                made.instance(),
                String.valueOf(ChronoUnit.MICROS.between(Instant.EPOCH, made.at())));
    }

    private static void execute(Connection connection, String sql) throws SQLException {
        try (Statement statement = connection.createStatement()) {
            statement.execute(sql);
        }
    }

    @Test
    void eight_instances_that_trim_the_history_together_delete_each_entry_once() throws Exception {
        postgres.execute("INSERT INTO distributed_breaker_transition"
                + " (breaker, version, from_state, to_state, cause, instance, made_at, evidence_count)"
                + " SELECT 'rawg', i, 'CLOSED', 'CLOSED', 'OPERATOR', 'sql', now() - INTERVAL '100 days', 0"
                + " FROM generate_series(1, 5000) AS i");
        stores.get(0).command("rawg", new OperatorCommand(Action.RESET, "ann", "today", Optional.empty()));
        int deleted = 0;
        try (Together together = new Together(INSTANCES)) {
            while (stores.get(0)
                            .history(new HistoryQuery(Optional.empty(), OptionalLong.empty(), 2))
                            .size()
                    > 1) {
                deleted += together.run(i -> () -> stores.get(i).trimHistory(Duration.ofDays(90))).stream()
                        .mapToInt(Integer::intValue)
                        .sum();
            }
        }
        assertThat(deleted).isEqualTo(5_000);
    }

    @Test
    void while_one_trims_another_deletes_nothing_and_waits_for_nobody() throws SQLException {
        stores.get(0).command("rawg", new OperatorCommand(Action.RESET, "ann", "old", Optional.empty()));
        try (Connection busy = postgres.dataSource().getConnection()) {
            busy.setAutoCommit(false);
            execute(busy, "SELECT pg_advisory_xact_lock(4918247360155231746)");
            assertThat(stores.get(1).trimHistory(Duration.ZERO)).isZero();
            busy.rollback();
        }
        assertThat(stores.get(1).trimHistory(Duration.ZERO)).isEqualTo(1);
    }
}
