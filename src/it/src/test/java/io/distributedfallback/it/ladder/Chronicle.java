package io.distributedfallback.it.ladder;

import io.distributedfallback.it.ladder.Story.Phase;
import io.distributedfallback.it.ladder.app.Call;
import io.distributedfallback.it.ladder.app.Outcome;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.function.Predicate;
import java.util.stream.LongStream;
import java.util.stream.Stream;

/** All calls, by the time when they were made, and the phases. */
final class Chronicle {

    private static final long SECOND = 1_000_000;

    private final List<Call> calls;
    private final List<Phase> phases;

    Chronicle(List<Call> calls, List<Phase> phases) {
        this.calls =
                calls.stream().sorted(Comparator.comparingLong(Call::atMicros)).toList();
        this.phases = List.copyOf(phases);
    }

    /** The first phase of that name. */
    Phase phase(String name) {
        return phases.stream()
                .filter(phase -> phase.name().equals(name))
                .findFirst()
                .orElseThrow();
    }

    List<Phase> phases() {
        return phases;
    }

    Stream<Call> all() {
        return calls.stream();
    }

    List<Call> of(Phase phase) {
        return calls.stream().filter(phase::has).toList();
    }

    /** The calls that were made in a phase and ended in it. */
    List<Call> whollyIn(Phase phase) {
        return calls.stream()
                .filter(phase::has)
                .filter(call -> call.atMicros() + call.tookMicros() < phase.toMicros())
                .toList();
    }

    /** Which part of the calls of a phase is such a one. */
    double share(Phase phase, Predicate<Call> such) {
        List<Call> all = of(phase);
        return (double) all.stream().filter(such).count() / all.size();
    }

    /** The calls of a part of a phase, in tenths. */
    Phase tenths(Phase phase, int from, int to) {
        long length = phase.toMicros() - phase.fromMicros();
        return new Phase(phase.name(), phase.fromMicros() + length * from / 10, phase.fromMicros() + length * to / 10);
    }

    /** When the database was asked, in order. */
    long[] queries() {
        return calls.stream()
                .filter(Call::queried)
                .mapToLong(Call::queriedMicros)
                .sorted()
                .toArray();
    }

    /** The most queries in any second, wherever it begins. */
    int mostQueriesInASecond() {
        return mostInASecond(queries());
    }

    /** The same within a phase. */
    int mostQueriesInASecond(Phase phase) {
        return mostInASecond(LongStream.of(queries())
                .filter(time -> time >= phase.fromMicros() && time < phase.toMicros())
                .toArray());
    }

    private static int mostInASecond(long[] times) {
        int most = 0;
        int first = 0;
        for (int last = 0; last < times.length; last++) {
            while (times[last] - times[first] >= SECOND) {
                first++;
            }
            most = Math.max(most, last - first + 1);
        }
        return most;
    }

    /** How long the calls took of which such a share took no longer. */
    static double millis(List<Call> some, double share) {
        if (some.isEmpty()) {
            return 0;
        }
        int[] sorted = some.stream().mapToInt(Call::tookMicros).sorted().toArray();
        return sorted[Math.min(sorted.length - 1, (int) (sorted.length * share))] / 1_000.0;
    }

    /** A line for each phase. */
    String table() {
        StringBuilder table = new StringBuilder(
                "| Phase | Seconds | Calls/s | Redis | Last good | Database | Refused |"
                        + " Failed | p50 ms | p99 ms | Queries/s | Most in 1 s |\n|---|---|---|---|---|---|---|---|---|---|---|---|---|\n");
        for (Phase phase : phases) {
            List<Call> some = of(phase);
            table.append(String.format(
                    Locale.ROOT,
                    "| %s | %.1f | %,.0f |%s %.2f | %.1f | %.0f | %d |\n",
                    phase.name(),
                    phase.seconds(),
                    some.size() / phase.seconds(),
                    shares(some),
                    millis(some, 0.5),
                    millis(some, 0.99),
                    some.stream().filter(Call::queried).count() / phase.seconds(),
                    mostQueriesInASecond(phase)));
        }
        return table.toString();
    }

    private static String shares(List<Call> some) {
        StringBuilder shares = new StringBuilder();
        for (Outcome outcome : Outcome.values()) {
            long count = some.stream().filter(call -> call.outcome() == outcome).count();
            shares.append(count == 0 ? " 0 |" : String.format(Locale.ROOT, " %.2f %% |", 100.0 * count / some.size()));
        }
        return shares.toString();
    }
}
