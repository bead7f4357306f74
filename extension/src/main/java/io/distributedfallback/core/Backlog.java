package io.distributedfallback.core;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Iterator;

/**
 * Evidence that waits for a write, in the order in which it came, and none of it older than a limit. It comes in slices of
 * time, so that what is too old can be dropped and the rest be kept, and so that an hour of failures takes no more room
 * than a minute. Not thread-safe.
 */
final class Backlog {

    private static final int SLICES = 30;

    private final long limitNanos;
    private final Deque<Slice> slices = new ArrayDeque<>();

    /** @param limitNanos evidence is dropped when it is older */
    Backlog(long limitNanos) {
        this.limitNanos = limitNanos;
    }

    void add(Evidence evidence, long now) {
        Slice last = slices.peekLast();
        if (last != null && now - last.sinceNanos < limitNanos / SLICES) {
            slices.removeLast();
            slices.addLast(new Slice(last.sinceNanos, last.evidence.then(evidence)));
        } else {
            slices.addLast(new Slice(now, evidence));
            forgetOld(now);
        }
    }

    /** Moves all that another one holds, which came earlier, to the front of this. */
    void addFirst(Backlog earlier) {
        Iterator<Slice> backwards = earlier.slices.descendingIterator();
        while (backwards.hasNext()) {
            slices.addFirst(backwards.next());
        }
        earlier.slices.clear();
    }

    /** Moves all that another one holds, which came later, to the end of this. */
    void addLast(Backlog later) {
        later.slices.forEach(slice -> add(slice.evidence, slice.sinceNanos));
        later.slices.clear();
    }

    void forgetOld(long now) {
        while (!slices.isEmpty() && now - slices.peekFirst().sinceNanos > limitNanos) {
            slices.removeFirst();
        }
    }

    void clear() {
        slices.clear();
    }

    boolean hasFailures() {
        return slices.stream().anyMatch(slice -> slice.evidence.failureCount() > 0);
    }

    /** All of it as one. */
    Evidence all() {
        return slices.stream().map(Slice::evidence).reduce(Evidence.NONE, Evidence::then);
    }

    /** How much room it takes. */
    int slices() {
        return slices.size();
    }

    boolean isEmpty() {
        return slices.isEmpty();
    }

    private record Slice(long sinceNanos, Evidence evidence) {}
}
