package io.distributedfallback.core;

import io.distributedfallback.OperatorCommand;
import io.distributedfallback.RetryAfter;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;

/** A real store with a switch that makes it fail, and counters of what is asked of it. */
final class FaultyStore implements BreakerStore {

    private final MemoryBreakerStore memory;

    /** The memory, as the instance that writes now has it. */
    private BreakerStore store;

    private volatile boolean away;
    private volatile Exception words;
    private volatile boolean readOnly;
    private volatile boolean broken;
    private volatile boolean keepsAll;
    private Doubt doubt;
    private Optional<Boolean> fate = Optional.empty();
    private Runnable beforeNextWrite = () -> {};
    private Runnable beforeNextAnswer = () -> {};
    private Runnable beforeNextRead = () -> {};
    private int reads;
    private int writes;

    FaultyStore(MemoryBreakerStore memory) {
        this.memory = memory;
        this.store = memory;
    }

    /** The same store as one of several instances has it. */
    BreakerStore as(String instance) {
        return new ByOneInstance(this, () -> store = memory.sharedBy(instance));
    }

    void goAway() {
        away = true;
    }

    /** It goes away, and says so in these words. */
    void goAwayWith(Exception words) {
        this.words = words;
        away = true;
    }

    void comeBack() {
        away = false;
    }

    /** From now on it can be read and not written. */
    void refuseWrites() {
        readOnly = true;
    }

    /** From now on it can be written again. */
    void takeWrites() {
        readOnly = false;
    }

    /** From now on nothing can be deleted in it. */
    void refuseRetirement() {
        keepsAll = true;
    }

    /** From now on a part of it cannot be loaded. */
    void breakDown() {
        broken = true;
    }

    /** The next evidence is written, and it is not known. */
    void loseNextAnswer() {
        doubt = Doubt.WRITTEN;
    }

    /** The next evidence is not written, and it is not known. */
    void loseNextWrite() {
        doubt = Doubt.NOT_WRITTEN;
    }

    /** The next evidence is not written, and that will never be known. */
    void forgetNextWrite() {
        doubt = Doubt.UNKNOWN;
    }

    private enum Doubt {
        WRITTEN,
        NOT_WRITTEN,
        UNKNOWN
    }

    /** What happens while the next piece of evidence is on its way. */
    void beforeNextWrite(Runnable incident) {
        beforeNextWrite = incident;
    }

    /** What happens when the next piece of evidence has been written and the writer has not heard of it. */
    void beforeNextAnswer(Runnable incident) {
        beforeNextAnswer = incident;
    }

    /** What happens when the next read has been asked and not been answered yet. */
    void beforeNextRead(Runnable incident) {
        beforeNextRead = incident;
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
        refuseIfReadOnly();
    }

    @Override
    public void requireWritable() {
        if (away) {
            read();
        }
        refuseIfReadOnly();
    }

    private void refuseIfReadOnly() {
        if (readOnly) {
            throw new StoreException(new Problem(ProblemCode.DFB304, "the store", "", "Grant it"), null);
        }
    }

    private void check() {
        if (broken) {
            throw new NoClassDefFoundError("a/missing/Driver");
        }
        if (away) {
            throw new StoreException(new Problem(ProblemCode.DFB302, "the store", "", "Wait"), words);
        }
    }

    @Override
    public List<BreakerRow> readAll() {
        read();
        Runnable incident = beforeNextRead;
        beforeNextRead = () -> {};
        incident.run();
        return store.readAll();
    }

    @Override
    public Optional<Change> record(String breaker, Evidence evidence, Policy policy) {
        Runnable onItsWay = beforeNextWrite;
        beforeNextWrite = () -> {};
        onItsWay.run();
        write();
        Doubt trouble = doubt;
        doubt = null;
        if (trouble != null) {
            Change change = (trouble == Doubt.WRITTEN ? store : copyOf(breaker))
                    .record(breaker, evidence, policy)
                    .orElseThrow();
            fate = trouble == Doubt.UNKNOWN ? Optional.empty() : Optional.of(trouble == Doubt.WRITTEN);
            throw new StoreInDoubtException(new Problem(ProblemCode.DFB302, "the store", "", "Wait"), null, change, 42);
        }
        Optional<Change> change = store.record(breaker, evidence, policy);
        Runnable incident = beforeNextAnswer;
        beforeNextAnswer = () -> {};
        incident.run();
        return change;
    }

    /** One in which the row is the same, and what is done to it has no effect here. */
    private BreakerStore copyOf(String breaker) {
        MemoryBreakerStore copy = new MemoryBreakerStore(new ManualTime(), Instant.EPOCH, "copy");
        copy.adopt(store.readAll().stream()
                .filter(row -> row.name().equals(breaker))
                .toList());
        return copy;
    }

    @Override
    public Optional<Boolean> wasCommitted(long transaction) {
        read();
        return transaction == 42 ? fate : Optional.empty();
    }

    @Override
    public int retire(Duration idle) {
        check();
        if (keepsAll) {
            throw new StoreException(new Problem(ProblemCode.DFB304, "the store", "", "Grant DELETE"), null);
        }
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

    @Override
    public Change command(String breaker, OperatorCommand command) {
        write();
        Doubt trouble = doubt;
        doubt = null;
        if (trouble != null) {
            Change change = (trouble == Doubt.WRITTEN ? store : copyOf(breaker)).command(breaker, command);
            fate = trouble == Doubt.UNKNOWN ? Optional.empty() : Optional.of(trouble == Doubt.WRITTEN);
            throw new StoreInDoubtException(new Problem(ProblemCode.DFB302, "the store", "", "Wait"), null, change, 42);
        }
        return store.command(breaker, command);
    }

    @Override
    public List<HistoryEntry> history(HistoryQuery query) {
        read();
        return store.history(query);
    }

    @Override
    public int trimHistory(Duration retention) {
        check();
        if (keepsAll) {
            throw new StoreException(new Problem(ProblemCode.DFB304, "the store", "", "Grant DELETE"), null);
        }
        return store.trimHistory(retention);
    }

    private record ByOneInstance(BreakerStore store, Runnable before) implements BreakerStore {

        @Override
        public List<BreakerRow> readAll() {
            return store.readAll();
        }

        @Override
        public void requireWritable() {
            store.requireWritable();
        }

        @Override
        public Optional<Change> record(String breaker, Evidence evidence, Policy policy) {
            before.run();
            return store.record(breaker, evidence, policy);
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
            before.run();
            return store.coolDown(breaker, retryAfter, failure, policy);
        }

        @Override
        public Optional<Change> acquireProbe(String breaker, Policy policy) {
            before.run();
            return store.acquireProbe(breaker, policy);
        }

        @Override
        public Optional<Change> reportProbe(String breaker, long token, ProbeVerdict verdict, Policy policy) {
            before.run();
            return store.reportProbe(breaker, token, verdict, policy);
        }

        @Override
        public Change command(String breaker, OperatorCommand command) {
            before.run();
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
}
