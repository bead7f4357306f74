package io.distributedfallback.core;

import io.distributedfallback.RetryAfter;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Iterator;
import java.util.OptionalLong;
import java.util.function.ToLongFunction;

/**
 * What waits for a write: evidence in the order in which it came, and none of it older than a limit, and the pauses that a
 * provider asked for, until they are over. Evidence comes in slices of time, so that what is too old can be dropped and the
 * rest be kept, and so that an hour of failures takes no more room than a minute. Not thread-safe.
 */
final class Backlog {

    private static final int SLICES = 30;

    private final long limitNanos;
    private final Deque<Slice> slices = new ArrayDeque<>();
    private Pauses pauses = Pauses.NONE;

    /** Evidence of calls that had begun by this moment is void. */
    private OptionalLong voidUntilNanos = OptionalLong.empty();

    /** @param limitNanos evidence is dropped when it is older */
    Backlog(long limitNanos) {
        this.limitNanos = limitNanos;
    }

    /** Takes in how calls fared that began at that moment; of successes it does not matter. */
    void add(Evidence evidence, long beganNanos, long now) {
        add(new Slice(now, now, beganNanos, evidence));
        // Or an hour of failures that nothing takes away would take as much room as it likes.
        forgetOldEvidence(now);
    }

    private void add(Slice slice) {
        Slice last = slices.peekLast();
        if (last != null && slice.sinceNanos - last.sinceNanos < limitNanos / SLICES) {
            slices.removeLast();
            slices.addLast(last.then(slice));
        } else {
            slices.addLast(slice);
        }
    }

    /** @param longest the longest that it lasts, whatever is asked for */
    void add(RetryAfter asked, Duration longest, Failures failure, long now) {
        pauses = pauses.and(Pauses.of(asked, longest, failure, now));
    }

    /** Moves all that another one holds, which came earlier, to the front of this. */
    void addFirst(Backlog earlier) {
        Iterator<Slice> backwards = earlier.slices.descendingIterator();
        while (backwards.hasNext()) {
            slices.addFirst(backwards.next());
        }
        forgetVoidEvidenceOf(earlier);
        pauses = earlier.pauses.and(pauses);
        earlier.clear();
    }

    /** Moves all that another one holds, which came later, to the end of this. */
    void addLast(Backlog later) {
        later.slices.forEach(this::add);
        forgetVoidEvidence();
        pauses = pauses.and(later.pauses);
        later.clear();
    }

    /** Forgets evidence that is too old, and pauses that are over. */
    void forgetOld(long now) {
        forgetOldEvidence(now);
        pauses = pauses.stillInForce(now);
    }

    private void forgetOldEvidence(long now) {
        while (!slices.isEmpty() && isOld(slices.peekFirst(), now)) {
            slices.removeFirst();
        }
    }

    private boolean isOld(Slice slice, long now) {
        return now - slice.sinceNanos > limitNanos;
    }

    /** Something new says what the evidence said: it counts as if all of it had come now. */
    void confirm(long now) {
        confirm(now, now);
    }

    private void confirm(long lastNanos, long beganNanos) {
        Evidence confirmed = joined();
        slices.clear();
        if (!confirmed.isEmpty()) {
            slices.add(new Slice(lastNanos, lastNanos, beganNanos, confirmed));
        }
    }

    /** The last failure says what those before it said: all of it counts as if it had come with that. */
    void confirmByLastFailure(long now) {
        confirm(now - sinceLastFailure(now, Slice::lastNanos), now - sinceLastFailure(now, Slice::beganNanos));
    }

    /** Takes out the evidence, and leaves the pauses. */
    Backlog takeEvidence() {
        Backlog taken = new Backlog(limitNanos);
        taken.slices.addAll(slices);
        slices.clear();
        return taken;
    }

    void forgetEvidence() {
        slices.clear();
    }

    /** Forgets evidence up to now, and what is given to this later and is of calls that had begun by now. */
    void voidEvidence(long now) {
        voidUntilNanos = OptionalLong.of(now);
        forgetEvidence();
    }

    /** Forgets what is void for another one as well. */
    void forgetVoidEvidenceOf(Backlog other) {
        if (other.voidUntilNanos.isPresent()
                && (voidUntilNanos.isEmpty() || other.voidUntilNanos.getAsLong() - voidUntilNanos.getAsLong() > 0)) {
            voidUntilNanos = other.voidUntilNanos;
        }
        forgetVoidEvidence();
    }

    private void forgetVoidEvidence() {
        voidUntilNanos.ifPresent(until -> slices.removeIf(slice -> until - slice.beganNanos >= 0));
    }

    void forgetPauses() {
        pauses = Pauses.NONE;
    }

    void clear() {
        forgetEvidence();
        forgetPauses();
    }

    boolean hasFailures() {
        return slices.stream().anyMatch(Slice::hasFailures);
    }

    /** How many failures are not too old. */
    int freshFailures(long now) {
        return slices.stream()
                .filter(slice -> !isOld(slice, now))
                .mapToInt(slice -> slice.evidence.failureCount())
                .sum();
    }

    /**
     * All evidence as one, as old as the last call in it that failed, from its beginning, or as what confirmed that. What came
     * later makes it no younger.
     */
    Evidence evidence(long now) {
        return joined().ofAge(Duration.ofNanos(sinceLastFailure(now, Slice::beganNanos)));
    }

    private Evidence joined() {
        return slices.stream().map(Slice::evidence).reduce(Evidence.NONE, Evidence::then);
    }

    /** How long ago a moment of it was, in nanoseconds; 0 if there is none. */
    private long sinceLastFailure(long now, ToLongFunction<Slice> moment) {
        long nanos = slices.stream()
                .filter(Slice::hasFailures)
                .mapToLong(slice -> now - moment.applyAsLong(slice))
                .min()
                .orElse(0);
        return Math.max(0, nanos);
    }

    Pauses pauses() {
        return pauses;
    }

    /** How much room it takes. */
    int slices() {
        return slices.size();
    }

    boolean isEmpty() {
        return slices.isEmpty() && pauses.isEmpty();
    }

    /**
     * Evidence of some time.
     *
     * @param sinceNanos when the first of it came
     * @param lastNanos when the last failure came; without one, when the first success did
     * @param beganNanos when the last of the calls began that failed; without one, when the first success began
     */
    private record Slice(long sinceNanos, long lastNanos, long beganNanos, Evidence evidence) {

        boolean hasFailures() {
            return evidence.failureCount() > 0;
        }

        Slice then(Slice later) {
            return new Slice(
                    sinceNanos,
                    later.isYounger(this, Slice::lastNanos) ? later.lastNanos : lastNanos,
                    later.isYounger(this, Slice::beganNanos) ? later.beganNanos : beganNanos,
                    evidence.then(later.evidence));
        }

        private boolean isYounger(Slice other, ToLongFunction<Slice> moment) {
            return hasFailures() && (!other.hasFailures() || moment.applyAsLong(this) - moment.applyAsLong(other) > 0);
        }
    }
}
