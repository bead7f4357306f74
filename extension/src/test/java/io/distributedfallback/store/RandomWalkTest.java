package io.distributedfallback.store;

import io.distributedfallback.BreakerTransition;
import io.distributedfallback.FailureKind;
import io.distributedfallback.OperatorCommand;
import io.distributedfallback.OperatorCommand.Action;
import io.distributedfallback.RetryAfter;
import io.distributedfallback.TransitionCause;
import io.distributedfallback.core.BreakerRow;
import io.distributedfallback.core.BreakerStore;
import io.distributedfallback.core.Change;
import io.distributedfallback.core.Evidence;
import io.distributedfallback.core.Failures;
import io.distributedfallback.core.HistoryEntry;
import io.distributedfallback.core.HistoryQuery;
import io.distributedfallback.core.MemoryBreakerStore;
import io.distributedfallback.core.Policy;
import io.distributedfallback.core.ProbeVerdict;
import io.distributedfallback.core.SchemaMode;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.OptionalLong;
import java.util.Random;
import java.util.TreeMap;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Random sequences of calls and jumps in time, applied to the statements on PostgreSQL and to the reference model in plain
 * Java. They never differ: not in an answer, not in the rows read, not in the history.
 *
 * <p>{@code -Dwalk.seconds=600} walks longer, {@code -Dwalk.seed=42} walks the same way again.
 */
@Tag("storm")
class RandomWalkTest {

    private static final int STEPS = 20;
    private static final int SEQUENCES_AT_LEAST = 100;
    private static final Duration TIME = Duration.ofSeconds(Integer.getInteger("walk.seconds", 20));
    private static final long SEED = Long.getLong("walk.seed", new Random().nextLong());

    /** One is walked more often than the other, so that it gets far enough to close. */
    private static final List<String> BREAKERS = List.of("rawg", "rawg", "rawg", "rawg", "jikan");

    private static final Policy RAMPED = Policy.DEFAULT.toBuilder()
            .failureThreshold(1)
            .rampUp(Duration.ofHours(1))
            .build();

    private static final List<Policy> POLICIES = List.of(
            Policy.DEFAULT.toBuilder()
                    .probeSuccesses(3)
                    .rampUp(Duration.ofHours(1))
                    .build(),
            RAMPED,
            Policy.DEFAULT.toBuilder()
                    .failureThreshold(2)
                    .probeSuccesses(2)
                    .probeInterval(Duration.ofMillis(250))
                    .probeLease(Duration.ofMillis(100))
                    .cooldown(Duration.ofMillis(300))
                    .maxCooldown(Duration.ofSeconds(1))
                    .rampUp(Duration.ofSeconds(10))
                    .build(),
            Policy.DEFAULT.toBuilder()
                    .failureThreshold(100)
                    .failureRatio(OptionalDouble.of(0.07))
                    .minimumCalls(5)
                    .rampUp(Duration.ofMinutes(1))
                    .build(),
            Policy.DEFAULT.toBuilder()
                    .failureThreshold(4)
                    .failureRatio(OptionalDouble.of(0.5))
                    .window(Duration.ofMillis(250))
                    .minimumCalls(1)
                    .quorum(2)
                    .build(),
            Policy.DEFAULT.toBuilder().failureThreshold(2).quorum(3).build(),
            Policy.DEFAULT.toBuilder()
                    .failureThreshold(2)
                    .rampUp(Duration.ofMinutes(1).plusNanos(7_000))
                    .build(),
            Policy.DEFAULT.toBuilder().quorum(2).rampUp(Duration.ofHours(2)).build());

    /** More than are kept for a quorum of a few. */
    private static final List<String> INSTANCES = IntStream.range(0, 20)
            .mapToObj(i -> "instance-" + (i < 10 ? i % 3 : i))
            .toList();

    private static final List<Duration> JUMPS = List.of(
            Duration.ZERO,
            Duration.ofNanos(1_000),
            Duration.ofMillis(100),
            Duration.ofMillis(250),
            Duration.ofMillis(250).minusNanos(1_000),
            Duration.ofSeconds(1),
            Duration.ofSeconds(5),
            Duration.ofSeconds(10),
            Duration.ofSeconds(15),
            Duration.ofSeconds(15),
            Duration.ofSeconds(15),
            Duration.ofSeconds(15).minusNanos(1_000),
            Duration.ofMinutes(1),
            Duration.ofHours(1));

    private final TestPostgres postgres = TestPostgres.newDatabase();
    private final List<String> trace = new ArrayList<>();
    private final Map<String, Integer> passes = new HashMap<>();
    private final Map<String, Integer> seen = new TreeMap<>();

    @Test
    void statements_and_model_never_differ() throws SQLException {
        System.out.println("random walk: -Dwalk.seed=" + SEED);
        long end = System.nanoTime() + TIME.toNanos();
        int sequences = 0;
        try (SteppedClock clock = new SteppedClock(postgres.dataSource());
                TestPool pool = new TestPool(postgres.dataSource(), SteppedClock.USE);
                Stores stores = new Stores(pool)) {
            while (sequences < SEQUENCES_AT_LEAST || System.nanoTime() < end) {
                Random random = new Random(SEED + sequences);
                stores.of(INSTANCES.get(0), random).readAll();
                postgres.execute("DELETE FROM distributed_breaker; DELETE FROM distributed_breaker_transition");
                walk(random, clock, stores);
                sequences++;
            }
        }
        System.out.println("random walk: " + sequences + " sequences of " + STEPS + " steps, " + seen);
        assertThat(seen)
                .as("what was seen, or else the walk has gone astray")
                .containsKeys("FAILURES", "FAILURE_RATIO", "PROBES", "OPERATOR", "RAMP_UP", "retired", "quorum");
    }

    private void walk(Random random, SteppedClock clock, Stores stores) {
        trace.clear();
        passes.clear();
        MemoryBreakerStore model = new MemoryBreakerStore(clock, clock.now(), "model");
        List<Long> tokens = new ArrayList<>(List.of(0L));
        List<String> history = new ArrayList<>();
        boolean recoversFirst = random.nextBoolean();
        for (int i = 0; i < STEPS; i++) {
            boolean recovers = recoversFirst && i < 3;
            clock.advance(recovers ? RAMPED.probeInterval() : one(JUMPS, random));
            String instance = one(INSTANCES, random);
            Function<BreakerStore, Object> step =
                    recovers ? recovery(i, tokens) : step(random, tokens, clock.now() + " " + instance, clock.now());
            Object expected = step.apply(model.sharedBy(instance));
            Object actual = step.apply(stores.of(instance, random));
            assertThat(actual).as(() -> String.join("\n", trace)).isEqualTo(expected);
            remember(expected, tokens, history);
        }
        assertThat(postgres.query("SELECT breaker, from_state, to_state, cause, instance,"
                        + " CAST(extract(epoch FROM made_at) * 1000000 AS bigint), version, evidence_count"
                        + " FROM distributed_breaker_transition WHERE commanded_action IS NULL ORDER BY id"))
                .as(() -> String.join("\n", trace))
                .isEqualTo(history);
        assertThat(entries(stores.of(INSTANCES.get(0), random)))
                .as(() -> String.join("\n", trace))
                .isEqualTo(entries(model));
    }

    /** So that many a walk sets out from where few would get to. */
    private Function<BreakerStore, Object> recovery(int step, List<Long> tokens) {
        trace.add("recovery " + step);
        return switch (step) {
            case 0 -> store -> store.record("rawg", Evidence.of(new Failures(1, FailureKind.OUTAGE, "down")), RAMPED);
            case 1 -> store -> store.acquireProbe("rawg", RAMPED);
            default -> {
                long token = tokens.get(tokens.size() - 1);
                yield store -> store.reportProbe("rawg", token, ProbeVerdict.PASS, RAMPED);
            }
        };
    }

    private Function<BreakerStore, Object> step(Random random, List<Long> tokens, String who, Instant now) {
        String breaker = one(BREAKERS, random);
        Policy policy = one(POLICIES, random);
        String text = "failure " + random.nextInt(1_000);
        String at = who + " " + breaker + " policy " + POLICIES.indexOf(policy) + " ";
        switch (random.nextInt(20)) {
            case 16, 17 -> {
                OperatorCommand command = command(random, text);
                trace.add(at + command);
                return store -> store.command(breaker, command);
            }
            case 18 -> {
                trace.add(at + "history");
                return store -> entries(store);
            }
            case 0, 1, 2, 19 -> {
                Failures failures = new Failures(1 + random.nextInt(3), FailureKind.OUTAGE, text, ramp(random, tokens));
                trace.add(at + failures);
                return store ->
                        store.record(breaker, Evidence.of(failures), policy).orElseThrow();
            }
            case 3, 11, 12 -> {
                Evidence evidence = evidence(random, text, ramp(random, tokens));
                trace.add(at + evidence);
                return store -> store.record(breaker, evidence, policy);
            }
            case 13 -> {
                Evidence successes = new Evidence(1 + random.nextInt(20), 0, 0, 0, Optional.empty());
                trace.add(at + successes);
                return store -> store.record(breaker, successes, policy);
            }
            case 14 -> {
                Duration idle = one(List.of(Duration.ofSeconds(1), Duration.ofMinutes(1)), random);
                trace.add(at + "retire " + idle);
                return store -> store.retire(idle);
            }
            case 4 -> {
                Optional<RetryAfter> retryAfter = retryAfter(random, now);
                trace.add(at + "throttled " + retryAfter);
                Failures failure = Failures.one(FailureKind.THROTTLED, text);
                return store -> store.coolDown(breaker, retryAfter, failure, policy);
            }
            case 5, 6, 7 -> {
                trace.add(at + "lease");
                return store -> store.acquireProbe(breaker, policy);
            }
            case 8, 9, 10 -> {
                long token = random.nextInt(5) > 0 ? tokens.get(tokens.size() - 1) : one(tokens, random);
                ProbeVerdict verdict =
                        random.nextBoolean() ? ProbeVerdict.PASS : one(List.of(ProbeVerdict.values()), random);
                trace.add(at + verdict + " of " + token);
                return store -> store.reportProbe(breaker, token, verdict, policy);
            }
            default -> {
                trace.add(at + "read");
                return store -> store.readAll().stream()
                        .sorted(Comparator.comparing(BreakerRow::name))
                        .toList();
            }
        }
    }

    /** Calls in some order, counted one by one. Now and then so many that sums reach their limit. */
    private static Evidence evidence(Random random, String text, long ramp) {
        int calls = 0;
        int firstRun = 0;
        int longestRun = 0;
        int lastRun = 0;
        int failures = 0;
        for (int length = 1 + random.nextInt(8); calls < length; calls++) {
            boolean failed = random.nextInt(3) > 0;
            failures += failed ? 1 : 0;
            lastRun = failed ? lastRun + 1 : 0;
            longestRun = Math.max(longestRun, lastRun);
            firstRun = failures == calls + 1 ? failures : firstRun;
        }
        if (failures == calls && random.nextInt(10) == 0) {
            failures = calls = firstRun = longestRun = lastRun = Integer.MAX_VALUE - random.nextInt(3);
        }
        return new Evidence(
                calls,
                firstRun,
                longestRun,
                lastRun,
                failures > 0 ? Optional.of(new Failures(failures, FailureKind.OUTAGE, text, ramp)) : Optional.empty());
    }

    /** Mostly of the recovery that was last. */
    private static long ramp(Random random, List<Long> tokens) {
        return switch (random.nextInt(4)) {
            case 0 -> 0;
            case 1 -> one(tokens, random);
            default -> tokens.get(tokens.size() - 1);
        };
    }

    private static OperatorCommand command(Random random, String reason) {
        Action action = one(List.of(Action.values()), random);
        boolean forces = action == Action.FORCE_OPEN || action == Action.FORCE_CLOSED;
        Optional<Duration> expiry = forces && random.nextInt(3) > 0
                ? Optional.of(one(List.of(Duration.ofSeconds(1), Duration.ofSeconds(20)), random))
                : Optional.empty();
        return new OperatorCommand(action, "ann", reason, expiry);
    }

    /** All there are, but for the numbers that stores give them. */
    private static List<HistoryEntry> entries(BreakerStore store) {
        return store.history(new HistoryQuery(Optional.empty(), OptionalLong.empty(), HistoryQuery.MOST)).stream()
                .map(entry -> new HistoryEntry(
                        0,
                        entry.breaker(),
                        entry.at(),
                        entry.from(),
                        entry.to(),
                        entry.cause(),
                        entry.instance(),
                        entry.evidence(),
                        entry.command()))
                .toList();
    }

    private static Optional<RetryAfter> retryAfter(Random random, Instant now) {
        Duration time = random.nextInt(8) == 0 ? one(JUMPS, random).multipliedBy(2) : Duration.ofSeconds(2);
        return switch (random.nextInt(4)) {
            case 0 -> Optional.empty();
            case 1 -> Optional.of(new RetryAfter.In(time));
            case 2 -> Optional.of(new RetryAfter.At(now.plus(time)));
            default -> Optional.of(new RetryAfter.At(now.minus(time)));
        };
    }

    private void remember(Object answer, List<Long> tokens, List<String> history) {
        Object content = answer instanceof Optional<?> optional ? optional.orElse(null) : answer;
        if (content instanceof Change change) {
            tokens.add(change.row().recovery().token());
            change.transition().ifPresent(made -> {
                seen.merge(made.cause().name(), 1, Integer::sum);
                if (change.commanded().isEmpty()) {
                    history.add(line(made, change.row(), passes.getOrDefault(made.breaker(), 0) + 1));
                }
            });
            passes.put(change.row().name(), change.row().recovery().consecutiveSuccesses());
            if (change.row().standing().consecutiveFailures() > 4
                    && !change.row().isOpen()) {
                seen.merge("quorum", 1, Integer::sum);
            }
        }
        if (content instanceof Integer retired && retired > 0) {
            seen.merge("retired", retired, Integer::sum);
        }
    }

    private static String line(BreakerTransition made, BreakerRow row, int passes) {
        long micros = ChronoUnit.MICROS.between(Instant.EPOCH, made.at());
        return String.join(
                " ",
                made.breaker(),
                made.from().name(),
                made.to().name(),
                made.cause() == TransitionCause.RAMP_UP
                        ? "FAILURES"
                        : made.cause().name(),
                made.instance(),
                Objects.toString(micros),
                Objects.toString(row.version()),
                Objects.toString(
                        switch (made.cause()) {
                            case FAILURES, RAMP_UP -> row.standing().consecutiveFailures();
                            case FAILURE_RATIO -> row.window().failures();
                            case PROBES, OPERATOR -> passes;
                        }));
    }

    private static <T> T one(List<? extends T> choices, Random random) {
        return choices.get(random.nextInt(choices.size()));
    }

    /** An instance has a store by each of the providers. */
    private static final class Stores implements AutoCloseable {

        private final Map<String, List<JpaBreakerStore>> stores;

        Stores(TestPool pool) {
            stores = INSTANCES.stream()
                    .distinct()
                    .collect(Collectors.toMap(
                            Function.identity(),
                            instance -> Stream.of(Provider.values())
                                    .map(provider -> provider.store(pool, SchemaMode.CREATE, "", instance))
                                    .toList()));
        }

        JpaBreakerStore of(String instance, Random random) {
            return one(Objects.requireNonNull(stores.get(instance)), random);
        }

        @Override
        public void close() {
            stores.values().stream().flatMap(List::stream).forEach(JpaBreakerStore::close);
        }
    }
}
