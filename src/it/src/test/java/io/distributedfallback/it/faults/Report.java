package io.distributedfallback.it.faults;

import io.distributedfallback.it.faults.Journals.Call;
import io.distributedfallback.it.faults.Records.Request;
import io.distributedfallback.it.faults.app.Shop;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** What a long run has seen. Thread-safe. */
final class Report {

    private static final int LONGEST_MILLIS = 10_000;
    private static final double NANOS_PER_MILLI = 1e6;

    private final long seed;
    private final long beganNanos = System.nanoTime();
    private final Map<String, Times> faults = new TreeMap<>();
    private final List<String> violations = new ArrayList<>();
    private final long[] waits = new long[LONGEST_MILLIS + 1];
    private long rounds;
    private long outages;
    private long openings;
    private long calls;
    private long primary;
    private long probes;
    private long failures;
    private long longestNanos;
    private long notJudged;

    /** How often a fault was to strike, and how often it was seen to. */
    private record Times(int tried, int struck) {

        Times plus(Times other) {
            return new Times(tried + other.tried, struck + other.struck);
        }
    }

    Report(long seed) {
        this.seed = seed;
    }

    synchronized void add(Round.Outcome outcome) {
        if (!outcome.isJudged()) {
            notJudged++;
            return;
        }
        Records records = outcome.records();
        rounds++;
        boolean hasStruck = records.strikes().stream()
                .allMatch(strike -> new Trace(records, strike).missing().isEmpty());
        faults.merge(outcome.round().fault().name(), new Times(1, hasStruck ? 1 : 0), Times::plus);
        outages += records.outages().size();
        openings += records.historyOf("catalogue").stream()
                .filter(entry -> entry.to().equals("OPEN"))
                .count();
        probes += records.requests().stream().filter(Request::isProbe).count();
        records.journals().calls().forEach(call -> add(call, records));
        outcome.violations().forEach(violation -> violations.add(violation + " (" + outcome.round() + ')'));
    }

    private void add(Call call, Records records) {
        calls++;
        if (call.outcome().equals("primary")) {
            primary++;
        }
        if (call.breaker().equals(Shop.LEDGER) && call.primaryNanos() > 0) {
            failures++;
        }
        long waited = records.waited(call);
        longestNanos = Math.max(longestNanos, waited);
        waits[(int) Math.min(LONGEST_MILLIS, Math.max(0, Math.round(waited / NANOS_PER_MILLI)))]++;
    }

    /** A round that could not be brought to its end. */
    synchronized void broke(Round round, Throwable failure) {
        rounds++;
        violations.add("the round broke: " + failure + " (" + round + ')');
    }

    synchronized List<String> violations() {
        return List.copyOf(violations);
    }

    /** In Markdown. */
    synchronized String text() {
        Duration length = Duration.ofNanos(System.nanoTime() - beganNanos);
        StringBuilder text = new StringBuilder();
        line(text, "Seed", seed);
        line(text, "Length", length.toMinutes() + " min " + length.toSecondsPart() + " s");
        line(text, "Rounds: a fault beside an outage", rounds);
        line(text, "Outages of the provider", outages);
        line(text, "Openings in the database", openings);
        line(text, "Load", String.format("%.0f calls/s", calls / (length.toMillis() / 1e3)));
        line(text, "Calls checked", calls);
        line(text, "of them answered by the provider", primary);
        line(text, "Failures to be counted one by one", failures);
        line(text, "Probes checked", probes);
        line(
                text,
                "Wait of a call beside the provider: median, 99 %, 99.9 %, longest",
                percentile(0.5) + " ms, " + percentile(0.99) + " ms, " + percentile(0.999) + " ms, "
                        + Math.round(longestNanos / NANOS_PER_MILLI) + " ms");
        line(text, "Violations", violations.size());
        line(text, "Rounds that were not judged, because the machine's clock moved", notJudged);
        text.append("\n| Fault | Rounds | in which it left a trace |\n|---|---|---|\n");
        faults.forEach((fault, times) -> line(text, fault, times.tried() + " | " + times.struck()));
        violations.forEach(violation -> text.append("\n- ").append(violation));
        return "| | |\n|---|---|\n" + text + '\n';
    }

    private static void line(StringBuilder text, String what, Object value) {
        text.append("| ").append(what).append(" | ").append(value).append(" |\n");
    }

    private long percentile(double share) {
        long left = Math.round(calls * share);
        for (int millis = 0; millis < waits.length; millis++) {
            left -= waits[millis];
            if (left <= 0) {
                return millis;
            }
        }
        return LONGEST_MILLIS;
    }
}
