package io.distributedfallback.core;

import java.util.function.BiConsumer;

/**
 * What one breaker has to tell the shared store: what has arrived for the next write, and what is kept because it was
 * carried in vain, or told to the stand-in while the store was away. Not thread-safe.
 */
final class Outbox {

    private final long maxAgeNanos;
    private final boolean keeps;
    private final Backlog kept;
    private Load waiting;

    /** The epoch of the stand-in that knows what is kept. The next one does not: it starts from what the store has said. */
    private int knownTo;

    /**
     * @param maxAgeNanos evidence is dropped when it is older
     * @param keeps whether there is a shared store to keep anything for
     */
    Outbox(long maxAgeNanos, boolean keeps) {
        this.maxAgeNanos = maxAgeNanos;
        this.keeps = keeps;
        this.kept = new Backlog(maxAgeNanos);
        this.waiting = new Load(maxAgeNanos);
    }

    /** What the next write will carry. */
    Load waiting() {
        return waiting;
    }

    /** What the store of an epoch does not know: a stand-in that has been told what is kept needs what has arrived alone. */
    Load take(int epoch, long now) {
        return epoch == knownTo ? takeWaiting(true, now) : takeAll(epoch, now);
    }

    /** What is kept, and what has arrived: whatever store takes it, none of it is left behind by the other. */
    Load takeAll(int epoch, long now) {
        boolean isKnown = epoch == knownTo;
        noteTold(epoch);
        waiting.takeAlong(kept, now);
        return takeWaiting(isKnown, now);
    }

    private Load takeWaiting(boolean standInKnowsKept, long now) {
        Load taken = waiting;
        waiting = new Load(maxAgeNanos);
        return taken.setOut(standInKnowsKept, now);
    }

    private void noteTold(int epoch) {
        if (StoreHealth.isOfStandIn(epoch)) {
            knownTo = epoch;
        }
    }

    /** Whether there is nothing that the store of that epoch does not know. */
    boolean hasNothingFor(int epoch) {
        return waiting.isEmpty() && (kept.isEmpty() || epoch == knownTo);
    }

    /**
     * Keeps what is left of a load that has come to an end.
     *
     * @param place puts it before or after what is kept
     * @param seen the row as it is known now
     * @param epoch the current one; if it is that of a stand-in, that has been told what is left
     */
    void keepRestOf(Load load, BiConsumer<Load, Backlog> place, Sighting seen, int epoch, long now) {
        if (!keeps) {
            return;
        }
        if (load.hasRest()) {
            noteTold(epoch);
        }
        boolean tellsOfFailures = load.hasFailures();
        if (seen.isOpenInStandIn() && !tellsOfFailures) {
            load.forgetEvidence();
        }
        place.accept(load, kept);
        if (seen.isOpenInStandIn() && tellsOfFailures) {
            kept.confirmByLastFailure(now);
        }
        forgetOld(seen, now);
        if (!kept.hasFailures()) {
            kept.forgetEvidence();
        }
    }

    /** What opened the breaker of the stand-in grows no older while that is open: there its failed probes confirm it. */
    void forgetOld(Sighting seen, long now) {
        if (!seen.isOpenInStandIn()) {
            kept.forgetOld(now);
        }
    }

    /** A probe has ended that the stand-in had granted, and left this row. */
    void probedAlone(ProbeVerdict verdict, Sighting left, long now) {
        if (!left.row().isOpen()) {
            // Some may be on its way yet, and come back later.
            kept.voidEvidence(now);
        } else if (verdict == ProbeVerdict.FAIL) {
            kept.confirm(now);
        }
    }

    /** How many failures are kept that are not too old for the shared store. */
    int freshFailures(long now) {
        return kept.freshFailures(now);
    }

    boolean isEmpty() {
        return waiting.isEmpty() && kept.isEmpty();
    }

    /** Whether a success would have something to come after. */
    boolean hasFailures() {
        return kept.hasFailures() || !waiting.isGood();
    }

    /** Whether there is nothing but successes that have nothing to come after. */
    boolean canWait() {
        return waiting.isGood() && kept.isEmpty();
    }

    /** Nobody wants successes, and there are no failures that they would belong between. */
    void forgetSuccesses() {
        if (!hasFailures()) {
            kept.forgetEvidence();
            waiting.forgetEvidence();
        }
    }
}
