package io.distributedfallback.core;

import java.util.Optional;

/**
 * Brings the loads of one breaker to the shared store, or to the stand-in if that is lost. If it is not known whether a
 * write lasts, the store is asked when it is back, and until then nothing of it is written again. So every failure
 * counts once. Thread-safe, for loads of which each belongs to one thread.
 */
final class Delivery {

    private final CircuitBreaker breaker;
    private final Engine engine;
    private final GuardedStore writes;
    private volatile Optional<Doubt> doubt = Optional.empty();

    Delivery(CircuitBreaker breaker, Engine engine) {
        this.breaker = breaker;
        this.engine = engine;
        this.writes = engine.writes();
    }

    /** Evidence of which it is not known whether it was written. */
    private record Doubt(StoreInDoubtException ending, Backlog evidence) {}

    boolean isInDoubt() {
        return doubt.isPresent();
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
            settleDoubt(load);
            write(load, epoch);
        } catch (StoreInDoubtException e) {
            writes.lost(asked, e);
            tellStandIn(load);
            doubt = Optional.of(new Doubt(e, load.takeEvidence()));
        } catch (RuntimeException | Error e) {
            writes.lost(asked, StoreException.of(e));
            tellStandIn(load);
        }
    }

    private void write(Load load, int epoch) {
        Policy policy = breaker.refreshPolicy();
        Evidence evidence = load.evidence();
        if (!evidence.isEmpty()) {
            writes.toShared(epoch, store -> store.record(breaker.name(), evidence, policy), breaker::see);
            load.forgetEvidence();
        }
        for (Pauses.Pause<?> pause : load.pauses().all()) {
            writes.toShared(epoch, store -> coolDown(store, pause, policy), breaker::see);
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
        return Optional.of(store.coolDown(breaker.name(), Optional.of(pause.asked()), pause.failure(), policy));
    }

    private void settleDoubt(Load load) {
        if (doubt.isEmpty()) {
            return;
        }
        Doubt open = doubt.get();
        open.evidence().forgetOld(engine.now());
        Optional<Boolean> wasCommitted =
                writes.askShared(store -> store.wasCommitted(open.ending().transaction()));
        if (wasCommitted.isPresent() && wasCommitted.get()) {
            doubt = Optional.empty();
            open.ending().change().transition().ifPresent(engine.listener()::transitioned);
        } else if (wasCommitted.isPresent()) {
            doubt = Optional.empty();
            load.takeAlong(open.evidence());
        } else if (open.evidence().isEmpty()) {
            doubt = Optional.empty();
        }
    }
}
