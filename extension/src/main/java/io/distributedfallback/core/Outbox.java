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

    /** What has arrived, for the stand-in, which knows the rest. */
    Load take() {
        Load taken = waiting;
        waiting = new Load(maxAgeNanos);
        return taken.setOut(true);
    }

    /**
     * What is kept, and what has arrived.
     *
     * @param toShared whether it goes to the shared store: then no stand-in that may get it instead knows what is kept,
     *     because it starts from what that store has said
     */
    Load takeAll(boolean toShared) {
        waiting.takeAlong(kept);
        Load taken = waiting;
        waiting = new Load(maxAgeNanos);
        return taken.setOut(!toShared);
    }

    /**
     * Keeps what is left of a load that has come to an end.
     *
     * @param place puts it before or after what is kept
     * @param seen the row as it is known now
     */
    void keepRestOf(Load load, BiConsumer<Load, Backlog> place, Sighting seen, long now) {
        if (!keeps) {
            return;
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
