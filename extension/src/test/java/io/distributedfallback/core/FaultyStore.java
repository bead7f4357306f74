package io.distributedfallback.core;

import io.distributedfallback.RetryAfter;
import java.time.Duration;
import java.util.List;
import java.util.Optional;

/** A real store with a switch that makes it fail, and counters of what is asked of it. */
final class FaultyStore implements BreakerStore {

    private final BreakerStore store;
    private volatile boolean away;
    private volatile boolean readOnly;
    private volatile boolean broken;
    private Runnable beforeNextAnswer = () -> {};
    private int reads;
    private int writes;

    FaultyStore(BreakerStore store) {
        this.store = store;
    }

    void goAway() {
        away = true;
    }

    void comeBack() {
        away = false;
    }

    /** From now on it can be read and not written. */
    void refuseWrites() {
        readOnly = true;
    }

    /** From now on a part of it cannot be loaded. */
    void breakDown() {
        broken = true;
    }

    /** What happens when the next piece of evidence has been written and the writer has not heard of it. */
    void beforeNextAnswer(Runnable incident) {
        beforeNextAnswer = incident;
    }

    synchronized int reads() {
        return reads;
    }

    synchronized int writes() {
        return writes;
    }

    private synchronized void read() {
        reads++;
        check();
    }

    private synchronized void write() {
        writes++;
        check();
        if (readOnly) {
            throw new StoreException(new Problem(ProblemCode.DFB304, "the store", "", "Grant it"), null);
        }
    }

    private void check() {
        if (broken) {
            throw new NoClassDefFoundError("a/missing/Driver");
        }
        if (away) {
            throw new StoreException(new Problem(ProblemCode.DFB302, "the store", "", "Wait"), null);
        }
    }

    @Override
    public List<BreakerRow> readAll() {
        read();
        return store.readAll();
    }

    @Override
    public Optional<Change> record(String breaker, Evidence evidence, Policy policy) {
        write();
        Optional<Change> change = store.record(breaker, evidence, policy);
        Runnable incident = beforeNextAnswer;
        beforeNextAnswer = () -> {};
        incident.run();
        return change;
    }

    @Override
    public int retire(Duration idle) {
        write();
        return store.retire(idle);
    }

    @Override
    public Change coolDown(String breaker, Optional<RetryAfter> retryAfter, Failures failure, Policy policy) {
        write();
        return store.coolDown(breaker, retryAfter, failure, policy);
    }

    @Override
    public Optional<Change> acquireProbe(String breaker, Policy policy) {
        write();
        return store.acquireProbe(breaker, policy);
    }

    @Override
    public Optional<Change> reportProbe(String breaker, long token, ProbeVerdict verdict, Policy policy) {
        write();
        return store.reportProbe(breaker, token, verdict, policy);
    }
}
