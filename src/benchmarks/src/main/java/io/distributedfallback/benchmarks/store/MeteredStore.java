package io.distributedfallback.benchmarks.store;

import io.distributedfallback.OperatorCommand;
import io.distributedfallback.RetryAfter;
import io.distributedfallback.core.BreakerRow;
import io.distributedfallback.core.BreakerStore;
import io.distributedfallback.core.Change;
import io.distributedfallback.core.Evidence;
import io.distributedfallback.core.Failures;
import io.distributedfallback.core.HistoryEntry;
import io.distributedfallback.core.HistoryQuery;
import io.distributedfallback.core.Policy;
import io.distributedfallback.core.ProbeVerdict;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicInteger;

/** A store that notes how long each write of evidence took, and how many were under way at once. */
final class MeteredStore implements BreakerStore {

    private final BreakerStore store;
    private final AtomicInteger underWay = new AtomicInteger();
    private final AtomicInteger mostAtOnce = new AtomicInteger();
    private volatile Durations writes = new Durations();

    MeteredStore(BreakerStore store) {
        this.store = store;
    }

    /** The writes since this was asked the last time. */
    Durations takeWrites() {
        Durations taken = writes;
        writes = new Durations();
        return taken;
    }

    int mostAtOnce() {
        return mostAtOnce.get();
    }

    @Override
    public void requireWritable() {
        store.requireWritable();
    }

    @Override
    public Optional<Change> record(String breaker, Evidence evidence, Policy policy) {
        mostAtOnce.accumulateAndGet(underWay.incrementAndGet(), Math::max);
        long began = System.nanoTime();
        try {
            return store.record(breaker, evidence, policy);
        } finally {
            writes.add(System.nanoTime() - began);
            underWay.decrementAndGet();
        }
    }

    @Override
    public List<BreakerRow> readAll() {
        return store.readAll();
    }

    @Override
    public Optional<Boolean> wasCommitted(long transaction) {
        return store.wasCommitted(transaction);
    }

    @Override
    public int retire(Duration idle) {
        return store.retire(idle);
    }

    @Override
    public Change coolDown(String breaker, Optional<RetryAfter> retryAfter, Failures failure, Policy policy) {
        return store.coolDown(breaker, retryAfter, failure, policy);
    }

    @Override
    public Optional<Change> acquireProbe(String breaker, Policy policy) {
        return store.acquireProbe(breaker, policy);
    }

    @Override
    public Optional<Change> reportProbe(String breaker, long token, ProbeVerdict verdict, Policy policy) {
        return store.reportProbe(breaker, token, verdict, policy);
    }

    @Override
    public Change command(String breaker, OperatorCommand command) {
        return store.command(breaker, command);
    }

    @Override
    public List<HistoryEntry> history(HistoryQuery query) {
        return store.history(query);
    }

    @Override
    public int trimHistory(Duration retention) {
        return store.trimHistory(retention);
    }
}
