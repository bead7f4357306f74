package io.distributedfallback.benchmarks.call;

import io.distributedfallback.benchmarks.Database;
import io.distributedfallback.benchmarks.Extent;
import io.distributedfallback.benchmarks.Goal;
import io.distributedfallback.benchmarks.Line;
import io.distributedfallback.benchmarks.Scenario;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.openjdk.jmh.runner.RunnerException;

/** What a guarded call costs while all is well and while the breaker is open, beside the peers. */
public final class GuardedCalls implements Scenario {

    /** What was seen in some JVMs and not in most; the code of a call makes no object, see {@link #AS_WRITTEN}. */
    private static final double NO_BYTES = 32;

    /** Less than the smallest object: what is left is of other threads. */
    private static final double NO_OBJECT = 15;

    private static final Optional<Goal> INFORMATION = Optional.empty();

    private static final Situation ALONE = Situation.healthy(1);
    private static final Situation TOGETHER = Situation.healthy(2);
    private static final Situation AS_WRITTEN = Situation.healthyAsWritten();
    private static final Situation OPEN = Situation.open(0);
    private static final Situation OPEN_BELOW = Situation.open(100);

    private final Path folder;

    /** @param folder for the logs of JMH */
    public GuardedCalls(Path folder) {
        this.folder = folder;
    }

    @Override
    public List<Line> measure(Extent extent) throws IOException, RunnerException {
        try (Database database = Database.start()) {
            Rounds rounds = new Rounds(extent, database.url(), folder.resolve("jmh.log"));
            rounds.run(extent.isFull() ? everyone() : theFewThatMatter());
            return lines(rounds);
        }
    }

    private static Map<Situation, Set<Contender>> everyone() {
        Map<Situation, Set<Contender>> program = new LinkedHashMap<>();
        Set<Contender> healthy = EnumSet.complementOf(EnumSet.of(Contender.NO_OP_AND_FALLBACK));
        Set<Contender> open = EnumSet.complementOf(EnumSet.of(
                Contender.PLAIN,
                Contender.PROXY,
                Contender.NO_OP,
                Contender.AGE_CHECK,
                Contender.ENGINE,
                Contender.ENGINE_COUNTED));
        program.put(ALONE, healthy);
        program.put(TOGETHER, healthy);
        program.put(AS_WRITTEN, EnumSet.of(Contender.NO_OP, Contender.ANNOTATION));
        program.put(OPEN, open);
        program.put(OPEN_BELOW, open);
        return program;
    }

    private static Map<Situation, Set<Contender>> theFewThatMatter() {
        Map<Situation, Set<Contender>> program = new LinkedHashMap<>();
        program.put(
                ALONE,
                EnumSet.of(
                        Contender.NO_OP,
                        Contender.ANNOTATION,
                        Contender.PROGRAMMATIC,
                        Contender.ENGINE,
                        Contender.ENGINE_COUNTED,
                        Contender.SMALLRYE,
                        Contender.RESILIENCE4J));
        program.put(
                TOGETHER,
                EnumSet.of(Contender.NO_OP, Contender.ANNOTATION, Contender.ENGINE, Contender.ENGINE_COUNTED));
        program.put(AS_WRITTEN, EnumSet.of(Contender.NO_OP, Contender.ANNOTATION));
        program.put(OPEN, EnumSet.of(Contender.NO_OP_AND_FALLBACK, Contender.ANNOTATION));
        program.put(OPEN_BELOW, EnumSet.of(Contender.NO_OP_AND_FALLBACK, Contender.ANNOTATION));
        return program;
    }

    private static List<Line> lines(Rounds rounds) {
        List<Line> lines = new ArrayList<>();
        for (Situation healthy : List.of(ALONE, TOGETHER)) {
            Comparison byAnnotation = new Comparison(rounds, healthy, Contender.ANNOTATION, lines);
            byAnnotation.nanos(Contender.PLAIN, INFORMATION);
            byAnnotation.nanos(Contender.PROXY, INFORMATION);
            byAnnotation.nanos(Contender.NO_OP, Optional.of(Goal.atMost(1.15)));
            byAnnotation.bytes(Contender.NO_OP, Goal.binding(NO_BYTES));
            byAnnotation.nanos(Contender.AGE_CHECK, Optional.of(Goal.atMost(1.15)));
            byAnnotation.nanos(Contender.SMALLRYE, Optional.of(Goal.atMost(0.33)));
            Comparison programmatic = new Comparison(rounds, healthy, Contender.PROGRAMMATIC, lines);
            programmatic.nanos(Contender.RESILIENCE4J, Optional.of(Goal.atMost(healthy.threads() == 1 ? 1.5 : 1)));
            programmatic.nanos(Contender.TYPED_GUARD, INFORMATION);
            programmatic.nanos(Contender.FAILSAFE, INFORMATION);
        }
        new Comparison(rounds, AS_WRITTEN, Contender.ANNOTATION, lines).bytes(Contender.NO_OP, Goal.binding(NO_OBJECT));
        for (Situation healthy : List.of(ALONE, TOGETHER)) {
            Comparison counted = new Comparison(rounds, healthy, Contender.ENGINE_COUNTED, lines);
            counted.nanos(Contender.ENGINE, INFORMATION);
            counted.bytes(Contender.ENGINE, Goal.binding(NO_BYTES));
        }
        for (Situation open : List.of(OPEN, OPEN_BELOW)) {
            Comparison byAnnotation = new Comparison(rounds, open, Contender.ANNOTATION, lines);
            byAnnotation.nanos(Contender.NO_OP_AND_FALLBACK, Optional.of(Goal.atMost(1.5)));
            byAnnotation.nanos(Contender.SMALLRYE, INFORMATION);
            Comparison programmatic = new Comparison(rounds, open, Contender.PROGRAMMATIC, lines);
            programmatic.nanos(Contender.RESILIENCE4J, INFORMATION);
            programmatic.nanos(Contender.TYPED_GUARD, INFORMATION);
            programmatic.nanos(Contender.FAILSAFE, INFORMATION);
        }
        return lines;
    }

    /** Adds the lines of one of ours in one situation; none for those that were not measured. */
    private record Comparison(Rounds rounds, Situation situation, Contender ours, List<Line> lines) {

        void nanos(Contender peer, Optional<Goal> goal) {
            if (rounds.has(situation, ours) && rounds.has(situation, peer)) {
                lines.add(Line.ratio(
                        name(peer), rounds.nanos(situation, ours), rounds.nanos(situation, peer), "ns", goal));
            }
        }

        void bytes(Contender peer, Goal goal) {
            if (rounds.has(situation, ours) && rounds.has(situation, peer)) {
                lines.add(Line.difference(
                        name(peer) + ", bytes",
                        rounds.bytes(situation, ours),
                        rounds.bytes(situation, peer),
                        "B",
                        Optional.of(goal)));
            }
        }

        private String name(Contender peer) {
            return situation + ": " + plain(ours) + " / " + plain(peer);
        }

        private static String plain(Contender contender) {
            return contender.name().toLowerCase(Locale.ROOT).replace('_', ' ');
        }
    }
}
