package io.distributedfallback.benchmarks.store;

import io.distributedfallback.Breaker;
import io.distributedfallback.FailureKind;
import io.distributedfallback.benchmarks.Database;
import io.distributedfallback.benchmarks.Extent;
import io.distributedfallback.benchmarks.Goal;
import io.distributedfallback.benchmarks.Line;
import io.distributedfallback.benchmarks.Scenario;
import io.distributedfallback.core.Evidence;
import io.distributedfallback.core.Failures;
import io.distributedfallback.core.Policy;
import io.distributedfallback.core.PolicyBuilder;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;

/**
 * What a storm of failures on one instance costs the one row that counts them, and the callers that wait for that. The peer
 * is what a breaker in a database usually does: each failure is a statement of its own, on its caller's thread; the same
 * statement, pool and callers.
 */
public final class HotRow implements Scenario {

    /** As many as a small pool of threads has, and as a large one has. */
    private static final List<Integer> CALLERS = List.of(64, 512);

    /** So many answers that come later are waited for in the place of one caller: they take no thread. */
    private static final int STAGES = 8;

    private static final int FAILURES_PER_SECOND = 100_000;
    private static final int CONNECTIONS = 10;
    private static final int WRITES_ALONE = 100;
    private static final Duration WARM_UP = Duration.ofSeconds(2);
    private static final long PATIENCE_NANOS = Duration.ofSeconds(15).toNanos();

    /** It counts for ever and never opens. */
    private static final Policy POLICY =
            new PolicyBuilder().failureThreshold(Integer.MAX_VALUE).build();

    private static final Optional<Goal> INFORMATION = Optional.empty();

    private final Database database;

    public HotRow(Database database) {
        this.database = database;
    }

    @Override
    public List<Line> measure(Extent extent) throws Exception {
        Duration length = Duration.ofSeconds(extent.isFull() ? 4 : 2);
        try (Pool pool = new Pool(database.create("hot_row"), CONNECTIONS, "hot-row")) {
            MeteredStore store = new MeteredStore(pool.store());
            List<Line> lines = new ArrayList<>();
            for (int callers : CALLERS) {
                try (Instance waiting = instance(store);
                        Instance ofStages = instance(store)) {
                    Contest warmUp = new Contest(pool, store, waiting, ofStages, new Figures());
                    warmUp.round("warm-up-" + callers, new Storm(callers, WARM_UP));
                    Contest contest = warmUp.anew();
                    for (int round = 1; round <= (extent.isFull() ? 5 : 1); round++) {
                        contest.round("round-" + callers + "-" + round, new Storm(callers, length));
                    }
                    lines.addAll(lines("storm, " + callers + " callers: ", contest.figures()));
                    lines.addAll(ofStages("storm, " + STAGES * callers + " stages: ", contest.figures()));
                }
            }
            return lines;
        }
    }

    private static Instance instance(MeteredStore store) {
        return new Instance(store, name -> POLICY, Map.of(), made -> {});
    }

    private static List<Line> lines(String name, Figures figures) {
        return List.of(
                Line.beside(
                        name + "failures",
                        figures.of("failures/s"),
                        figures.of("peer's failures/s"),
                        "/s",
                        Optional.of(Goal.atLeast(FAILURES_PER_SECOND))),
                Line.beside(
                        name + "writes of the row",
                        figures.of("writes/s"),
                        figures.of("peer's writes/s"),
                        "/s",
                        Optional.of(Goal.atMost(500))),
                Line.beside(
                        name + "statements per failure",
                        figures.of("statements"),
                        figures.of("peer's statements"),
                        "",
                        Optional.of(Goal.binding(0.5))),
                Line.figure(name + "writes under way at once", figures.of("at once"), "", Optional.of(Goal.binding(1))),
                Line.figure(
                        name + "failures told and not counted, or counted twice",
                        figures.of("miscounted"),
                        "",
                        Optional.of(Goal.binding(0))),
                Line.figure(name + "one write, alone, before", figures.of("alone"), "ms", INFORMATION),
                Line.figure(name + "one write, median", figures.of("write 0.5"), "ms", INFORMATION),
                waits(name + "wait of a caller / two writes, median", figures, 0.5),
                waits(name + "wait of a caller / two writes, p99", figures, 0.99),
                waits(name + "wait of a caller / two writes, longest", figures, 1),
                Line.beside(
                        name + "wait of a caller, p99",
                        figures.of("wait 0.99"),
                        figures.of("peer's wait 0.99"),
                        "ms",
                        INFORMATION));
    }

    private static List<Line> ofStages(String name, Figures figures) {
        return List.of(
                Line.figure(
                        name + "failures",
                        figures.of("stages/s"),
                        "/s",
                        Optional.of(Goal.atLeast(FAILURES_PER_SECOND))),
                Line.figure(name + "wait of a caller, p99", figures.of("stage's wait 0.99"), "ms", INFORMATION),
                Line.figure(name + "the most threads", figures.of("threads of stages"), "", INFORMATION));
    }

    private static Line waits(String name, Figures figures, double share) {
        return Line.ratio(
                name,
                figures.of("wait " + share),
                figures.of("two writes " + share),
                "ms",
                Optional.of(Goal.atMost(1)));
    }

    /**
     * Ours and the peer's way, one after the other.
     *
     * @param pool of both
     * @param store of ours
     * @param waiting its callers wait for the answer
     * @param ofStages its callers do not
     */
    private record Contest(Pool pool, MeteredStore store, Instance waiting, Instance ofStages, Figures figures) {

        private static final Evidence ONE_FAILURE = Evidence.of(Failures.one(FailureKind.OUTAGE, "HTTP 503"));

        /** The same with no figures yet. */
        Contest anew() {
            return new Contest(pool, store, waiting, ofStages, new Figures());
        }

        void round(String name, Storm storm) throws Exception {
            figures.add("alone", alone(name + "-alone"));
            figures.add(
                    "miscounted",
                    (double) ours(name, storm)
                            + stages(name + "-stages", new Storm(STAGES * storm.callers(), storm.length())));
            figures.add("threads of stages", ofStages.mostThreads());
            figures.add("at once", store.mostAtOnce());
            peer(name + "-peer", storm);
        }

        /** The round trip that all waits are measured by. */
        private double alone(String row) {
            store.takeWrites();
            for (int write = 0; write < WRITES_ALONE; write++) {
                store.record(row, ONE_FAILURE, POLICY);
            }
            return store.takeWrites().millis(0.5);
        }

        private long ours(String row, Storm storm) throws Exception {
            Breaker breaker = waiting.breaker(row);
            Callable<String> call = () -> breaker.call(
                    () -> {
                        throw new ServiceUnavailable();
                    },
                    () -> "fallback");
            call.call();
            store.takeWrites();
            Statements before = Statements.of(pool);
            Storm.Outcome outcome = storm.blow(call);
            Statements made = Statements.of(pool).since(before);
            Durations writes = store.takeWrites();
            figures.add("failures/s", outcome.perSecond());
            figures.add("writes/s", made.writes() / outcome.seconds());
            figures.add("statements", made.writes() / (double) outcome.failures());
            for (double share : new double[] {0.5, 0.99, 1}) {
                figures.add("wait " + share, outcome.waits().millis(share));
                figures.add("write " + share, writes.millis(share));
                figures.add("two writes " + share, 2 * writes.millis(share));
            }
            return miscounted(waiting, row, 1 + outcome.failures());
        }

        private long stages(String row, Storm storm) throws SQLException, InterruptedException, ExecutionException {
            Breaker breaker = ofStages.breaker(row);
            Storm.Outcome outcome = storm.blowStages(() -> breaker.callStage(
                    () -> CompletableFuture.failedFuture(new ServiceUnavailable()),
                    () -> CompletableFuture.completedFuture("fallback")));
            figures.add("stages/s", outcome.perSecond());
            figures.add("stage's wait 0.99", outcome.waits().millis(0.99));
            return miscounted(ofStages, row, outcome.failures());
        }

        private void peer(String row, Storm storm) throws SQLException, InterruptedException, ExecutionException {
            Statements before = Statements.of(pool);
            Storm.Outcome outcome = storm.blow(() -> pool.store().record(row, ONE_FAILURE, POLICY));
            Statements made = Statements.of(pool).since(before);
            figures.add("peer's failures/s", outcome.perSecond());
            figures.add("peer's writes/s", made.writes() / outcome.seconds());
            figures.add("peer's statements", made.writes() / (double) outcome.failures());
            figures.add("peer's wait 0.99", outcome.waits().millis(0.99));
        }

        /** By how many the row's count differs from what was told, when all has arrived. */
        private long miscounted(Instance instance, String row, long told) throws SQLException, InterruptedException {
            long end = System.nanoTime() + PATIENCE_NANOS;
            long counted = counted(row);
            while (counted != told && System.nanoTime() < end) {
                TimeUnit.MILLISECONDS.sleep(100);
                // What was kept while the store was lost goes there after its next answer.
                instance.readStore();
                counted = counted(row);
            }
            return Math.abs(counted - told);
        }

        private long counted(String row) throws SQLException {
            return pool.number("SELECT consecutive_failures FROM distributed_breaker WHERE name = '" + row + "'");
        }
    }
}
