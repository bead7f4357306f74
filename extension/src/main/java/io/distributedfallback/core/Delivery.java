package io.distributedfallback.core;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CopyOnWriteArrayList;

/**
 * Brings the loads of one breaker to the shared store, or to the stand-in if that is lost. If it is not known whether a
 * write lasts, the store is asked when it is back, and until then nothing of it is written again. So every failure
 * counts once. Thread-safe, for loads of which each belongs to one thread.
 */
final class Delivery {

    private final CircuitBreaker breaker;
    private final Engine engine;
    private final GuardedStore writes;
    private final long maxAgeNanos;
    private final List<Doubt> doubts = new CopyOnWriteArrayList<>();
    private volatile Sighting unchanged;

    Delivery(CircuitBreaker breaker, Engine engine) {
        this.breaker = breaker;
        this.engine = engine;
        this.writes = engine.writes();
        this.maxAgeNanos = engine.surroundings().timings().maxAge().toNanos();
    }

    /** Evidence of which it is not known whether it was written. */
    private record Doubt(StoreInDoubtException ending, Backlog evidence, long sinceNanos) {}

    boolean isInDoubt() {
        return !doubts.isEmpty();
    }

    /** Whether a success has a count to set back. If one has found none, another instance was first; a read will say so. */
    boolean mayReset(Sighting seen) {
        return seen.row().isCounting() && !seen.equals(unchanged);
    }

    /** Delivers a load. Evidence that is still in it afterwards has reached the stand-in alone. */
    void deliver(Load load) {
        if (!writes.reachesShared()) {
            tellStandIn(load);
            return;
        }
        long asked = engine.now();
        int epoch = writes.epoch();
        try {
            deliverToShared(load, epoch);
        } catch (RuntimeException | Error e) {
            writes.lost(asked, StoreException.of(e));
            tellStandIn(load);
        }
    }

    /**
     * Delivers a load to the shared store, whatever is thought of that.
     *
     * @param epoch of the shared store
     * @throws RuntimeException whatever goes wrong; what was not written is still in the load
     */
    void deliverToShared(Load load, int epoch) {
        settleDoubts(load);
        write(load, epoch);
    }

    private void write(Load load, int epoch) {
        Policy policy = breaker.refreshPolicy();
        load.forgetOld(engine.now());
        write(load.kept(), policy, epoch);
        load.forgetEvidenceOfKept(engine.now());
        write(load.arrived(), policy, epoch);
        load.forgetEvidence();
        for (Pauses.Pause<?> pause : load.pauses().all()) {
            Optional<Sighting> unused = writes.toShared(epoch, store -> coolDown(store, pause, policy), breaker::see);
        }
        load.forgetPauses();
    }

    private void write(Backlog part, Policy policy, int epoch) {
        long asked = engine.now();
        Evidence evidence = part.evidence(asked);
        if (evidence.isEmpty()) {
            return;
        }
        Sighting seen = breaker.seen();
        try {
            if (writes.toShared(epoch, store -> store.record(breaker.name(), evidence, policy), breaker::see)
                    .isEmpty()) {
                unchanged = seen;
            }
        } catch (StoreInDoubtException e) {
            doubts.add(new Doubt(e, part.takeEvidence(), asked));
            throw e;
        }
    }

    /** Tells the stand-in what it has not been told yet. */
    void tellStandIn(Load load) {
        Policy policy = breaker.refreshPolicy();
        Load.Untold untold = load.takeUntold();
        if (!untold.evidence().isEmpty()) {
            writes.toStandIn(store -> store.record(breaker.name(), untold.evidence(), policy), breaker::see);
        }
        for (Pauses.Pause<?> pause : untold.pauses().all()) {
            writes.toStandIn(store -> coolDown(store, pause, policy), breaker::see);
        }
    }

    private Optional<Change> coolDown(BreakerStore store, Pauses.Pause<?> pause, Policy policy) {
        long now = engine.now();
        return Optional.of(store.coolDown(
                breaker.name(), Optional.of(pause.left(now)), pause.failure(), pause.limit(policy, now)));
    }

    /** Evidence that was not written after all goes along. What nothing can be found out about is not written again. */
    private void settleDoubts(Load load) {
        // The last one first: each goes in front of what came after it.
        List<Doubt> backwards = new ArrayList<>(doubts);
        Collections.reverse(backwards);
        for (Doubt doubt : backwards) {
            Optional<Boolean> wasCommitted =
                    writes.askShared(store -> store.wasCommitted(doubt.ending().transaction()));
            boolean isSettled = wasCommitted.isPresent() || engine.now() - doubt.sinceNanos() > maxAgeNanos;
            // Whoever removes it settles it: a write that was given up may come back while another one does this.
            if (!isSettled || !doubts.remove(doubt)) {
                continue;
            }
            if (wasCommitted.orElse(false)) {
                doubt.ending().change().transition().ifPresent(engine.listener()::transitioned);
            } else if (wasCommitted.isPresent()) {
                doubt.evidence().forgetOld(engine.now());
                load.takeAlong(doubt.evidence(), engine.now());
            }
        }
    }
}
