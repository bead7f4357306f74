package io.distributedfallback.core;

import io.distributedfallback.BreakerAlert.Kind;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.OptionalLong;
import java.util.function.LongSupplier;
import java.util.stream.LongStream;

/** What there is to tell of one breaker, as one instance knows it. Not thread-safe. */
final class BreakerWatch {

    /** A read that was asked before the last change may still be answered, and must find that it knows less. */
    private static final long LONGEST_READ_NANOS = Duration.ofMinutes(1).toNanos();

    private final String breaker;
    private final AlertRules rules;
    private final AlertTeller teller;
    private final LongSupplier calls;

    private boolean open;
    private boolean changed;
    private long changedNanos;
    private boolean halfTold;
    private long callsAtHalf;
    private boolean openForLong;

    private final Deque<Long> openings = new ArrayDeque<>();
    private Instant lastOpenedAt = Instant.MIN;
    private boolean flapping;

    private boolean refused;
    private long refusedNanos;

    /** @param calls how many calls of it this instance has had, with those of its keys */
    BreakerWatch(String breaker, AlertRules rules, AlertTeller teller, LongSupplier calls) {
        this.breaker = breaker;
        this.rules = rules;
        this.teller = teller;
        this.calls = calls;
    }

    String breaker() {
        return breaker;
    }

    /** Whether a read of the store that was asked at that moment may know better. */
    boolean mayLearnFrom(long askedNanos) {
        return !changed || changedNanos - askedNanos <= 0;
    }

    /** @param at which opening it is */
    void open(Instant at, long now) {
        boolean another = !at.equals(lastOpenedAt);
        if (another) {
            // It may have closed and opened again between two reads.
            close(now);
        }
        if (!open) {
            open = true;
            changed = true;
            changedNanos = now;
            halfTold = false;
        }
        if (another) {
            lastOpenedAt = at;
            openings.addLast(now);
            if (openings.size() > rules.flappingOpenings()) {
                openings.removeFirst();
            }
            look(now);
        }
    }

    void close(long now) {
        if (!open) {
            return;
        }
        open = false;
        changed = true;
        changedNanos = now;
        if (openForLong) {
            openForLong = false;
            teller.isOver(
                    breaker, Kind.OPEN_FOR_LONG, "Breaker " + breaker + " no longer keeps calls from the provider");
        }
    }

    /**
     * The provider has refused this instance.
     *
     * @return whether that is new
     */
    boolean refused(String failure, long now) {
        refusedNanos = now;
        boolean begins = !refused;
        if (begins) {
            refused = true;
            teller.begins(
                    breaker,
                    Kind.MISCONFIGURED,
                    "The provider behind breaker " + breaker
                            + " refuses this instance; most likely a key is missing or has" + " expired: " + failure);
        }
        return begins;
    }

    /** Tells what follows from the time that has passed. */
    void look(long now) {
        lookAtOpen(now);
        lookAtOpenings(now);
        if (refused && now - refusedNanos >= rules.window().toNanos()) {
            refused = false;
            teller.isOver(
                    breaker,
                    Kind.MISCONFIGURED,
                    "The provider behind breaker " + breaker + " has not refused this instance for "
                            + AlertTeller.text(rules.window()));
        }
    }

    /** Whether there are calls is asked about the second half: some come back long after it has opened. */
    private void lookAtOpen(long now) {
        if (!waitsForOpen()) {
            return;
        }
        Duration openFor = rules.openFor().orElseThrow();
        if (!halfTold && now - changedNanos >= openFor.toNanos() / 2) {
            halfTold = true;
            callsAtHalf = calls.getAsLong();
        }
        if (now - changedNanos >= openFor.toNanos()) {
            openForLong = true;
            teller.begins(
                    breaker,
                    Kind.OPEN_FOR_LONG,
                    calls.getAsLong() == callsAtHalf
                            ? "Breaker " + breaker + " was left open: no traffic. This instance has had no call for "
                                    + AlertTeller.text(openFor.dividedBy(2))
                                    + " and may not have heard of a change; the next call wakes a probe"
                            : "Breaker " + breaker + " has been open for " + AlertTeller.text(openFor)
                                    + ": the provider is still down, or its probe cannot tell that it is back");
        }
    }

    private boolean waitsForOpen() {
        return open && !openForLong && rules.openFor().isPresent();
    }

    private void lookAtOpenings(long now) {
        while (!openings.isEmpty()
                && now - openings.getFirst() >= rules.flappingWindow().toNanos()) {
            openings.removeFirst();
        }
        String times = rules.flappingOpenings() + " times in " + AlertTeller.text(rules.flappingWindow());
        boolean often = openings.size() >= rules.flappingOpenings();
        if (often && !flapping) {
            teller.begins(breaker, Kind.FLAPPING, "Breaker " + breaker + " has opened " + times);
        } else if (flapping && !often) {
            teller.isOver(breaker, Kind.FLAPPING, "Breaker " + breaker + " no longer opens " + times);
        }
        flapping = often;
    }

    /** In how many nanoseconds to look again; empty if time alone changes nothing. */
    OptionalLong nextLook(long now) {
        LongStream.Builder waits = LongStream.builder();
        if (waitsForOpen()) {
            long openFor = rules.openFor().orElseThrow().toNanos();
            waits.add(changedNanos + (halfTold ? openFor : openFor / 2) - now);
        }
        if (!openings.isEmpty()) {
            waits.add(openings.getFirst() + rules.flappingWindow().toNanos() - now);
        }
        if (refused) {
            waits.add(refusedNanos + rules.window().toNanos() - now);
        }
        if (hasNothingToTell() && changed) {
            waits.add(changedNanos + LONGEST_READ_NANOS - now);
        }
        return waits.build().min();
    }

    /** Whether nothing is lost if it is forgotten. */
    boolean isIdle(long now) {
        return hasNothingToTell() && (!changed || now - changedNanos >= LONGEST_READ_NANOS);
    }

    private boolean hasNothingToTell() {
        return !open && openings.isEmpty() && !refused;
    }
}
