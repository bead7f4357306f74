package io.distributedfallback.it.faults;

import java.util.List;
import java.util.Set;
import java.util.stream.LongStream;
import java.util.stream.Stream;

/**
 * All that is known of a round. Times are those of {@link System#nanoTime()}, also of what the database has stamped: all
 * run on one machine.
 *
 * @param from when the round began
 * @param instances that lived in it, the dead ones too
 * @param journals what instances wrote down
 * @param requests what the provider saw
 * @param outages of the provider
 * @param strikes of faults
 * @param history what the database gained
 * @param ledger failures counted by the database, over all rounds
 */
public record Records(
        long from,
        List<Life> instances,
        Journals journals,
        List<Request> requests,
        List<Outage> outages,
        List<Strike> strikes,
        List<Entry> history,
        Ledger ledger) {

    /** The instances' copies are this young, or are read again. */
    public static final long FRESH_NANOS = 1_000_000_000L;

    /** No call waits longer for a read, and none for a write. */
    public static final long STORE_TIMEOUT_NANOS = 1_000_000_000L;

    /** What a machine with much to do may add to anything. */
    public static final long SLACK_NANOS = 1_000_000_000L;

    /** How the provider of the catalogue is. */
    public enum Weather {
        WELL,
        /** Answers at once that it cannot. */
        FAILING,
        /** Answers after everybody has left. */
        HANGING
    }

    /** When it was not well. */
    public record Outage(Weather weather, long from, long to) {}

    /**
     * A request that the provider saw.
     *
     * @param service {@code catalogue} or {@code ledger}
     * @param purpose {@code visitor}, {@code late} or {@code probe}
     * @param instance who asked
     * @param began when the call began that needs it
     * @param arrived when it came
     * @param ended when it was answered
     * @param status with what
     */
    public record Request(
            String service, String purpose, String instance, long began, long arrived, long ended, int status) {

        public boolean isProbe() {
            return purpose.equals("probe");
        }
    }

    /**
     * An instance's life.
     *
     * @param endedNanos when it was killed, or told to end; 0 if it lives
     */
    public record Life(String instance, long startedNanos, long endedNanos) {}

    /** A fault, from its first moment to that in which it was mended. */
    public record Strike(String fault, Set<Effect> effects, long from, long to) {}

    /** An entry of the history. */
    public record Entry(String breaker, String from, String to, String cause, int probesPassed, long at) {}

    /**
     * The ledger's failures.
     *
     * @param counted by the database
     * @param recorded by instances: their callers have had the answer
     * @param asked seen by the provider, or recorded without having got there
     */
    public record Ledger(long counted, long recorded, long asked) {}

    /** From one moment to another. */
    public record Span(long from, long to) {
        public boolean has(long moment) {
            return moment >= from && moment <= to;
        }

        public boolean meets(long begin, long end) {
            return from <= end && begin <= to;
        }

        long shareOf(long begin, long end) {
            return Math.max(0, Math.min(to, end) - Math.max(from, begin));
        }
    }

    /** How long a call took beside what the provider took, and what the machine let it stand still. */
    public long waited(Journals.Call call) {
        return call.ended() - call.began() - call.primaryNanos() - stalled(call.instance(), call.began(), call.ended());
    }

    /** Whether a fault with that effect struck in the round. */
    public boolean has(Effect effect) {
        return strikes.stream().anyMatch(strike -> strike.effects().contains(effect));
    }

    /** For how long an instance stood still within that time. */
    public long stalled(String instance, long from, long to) {
        return journals.of(instance).stalls().stream()
                .mapToLong(stall -> stall.shareOf(from, to))
                .sum();
    }

    /** For how long within that time nobody ran: of those that lived all the time, the one that stood still the least. */
    public long allStalled(long from, long to) {
        return instances.stream()
                .filter(life -> life.startedNanos() <= from && (life.endedNanos() == 0 || life.endedNanos() >= to))
                .mapToLong(life -> stalled(life.instance(), from, to))
                .min()
                .orElse(0);
    }

    /**
     * When an instance may have known nothing of the database: from its start to the first read, from a fault that takes
     * the database away to the first read after it, and whenever it said so itself.
     */
    public List<Span> away(Life life) {
        List<Journals.StoreChange> said = journals.of(life.instance()).store();
        Stream<Span> atStart = Stream.of(new Span(life.startedNanos(), nextUp(said, life.startedNanos())));
        Stream<Span> struck = strikes.stream()
                .filter(strike -> strike.effects().contains(Effect.STORE_AWAY))
                .map(strike -> new Span(strike.from(), backAfter(said, strike.to())));
        Stream<Span> alone = said.stream()
                .filter(change -> !change.isUp())
                // What it waited for before it said so, and its next look.
                .map(change -> new Span(change.at() - STORE_TIMEOUT_NANOS - SLACK_NANOS, nextUp(said, change.at())));
        return Stream.of(atStart, struck, alone)
                .flatMap(spans -> spans)
                .map(span -> new Span(span.from(), later(span.to())))
                .toList();
    }

    /** Whether whoever asks had no database when it began, and probes for itself. */
    public boolean isAlone(Request request) {
        return instances.stream()
                .filter(life -> life.instance().equals(request.instance()))
                .flatMap(life -> away(life).stream())
                .anyMatch(away -> away.has(request.began()));
    }

    private static long later(long moment) {
        return moment == Long.MAX_VALUE ? moment : moment + SLACK_NANOS / 2;
    }

    private static long backAfter(List<Journals.StoreChange> said, long moment) {
        // A loss that is found out only after the fault is over belongs to it.
        long found = moment + STORE_TIMEOUT_NANOS + SLACK_NANOS;
        boolean isDown = said.stream()
                .filter(change -> change.at() <= found)
                .reduce((first, second) -> second)
                .map(change -> !change.isUp())
                .orElse(true);
        return isDown ? nextUp(said, moment) : moment;
    }

    private static long nextUp(List<Journals.StoreChange> said, long moment) {
        LongStream ups = said.stream()
                .filter(Journals.StoreChange::isUp)
                .mapToLong(Journals.StoreChange::at)
                .filter(at -> at >= moment);
        return ups.min().orElse(Long.MAX_VALUE);
    }

    /** Changes of one breaker. */
    public List<Entry> historyOf(String breaker) {
        return history.stream().filter(entry -> entry.breaker().equals(breaker)).toList();
    }

    /** How often the instance lost the database or got it back, or began, in that time. */
    public long upheavals(Life life, long from, long to) {
        return journals.of(life.instance()).store().stream()
                .filter(change -> change.at() >= from && change.at() <= to)
                .count();
    }
}
