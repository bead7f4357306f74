package io.distributedfallback.core;

import io.distributedfallback.OperatorCommand;
import io.distributedfallback.RetryAfter;
import java.time.Duration;
import java.util.List;
import java.util.Optional;

/** A store in memory as one of several instances that share it has it. */
record SharedMemory(MemoryBreakerStore memory, String instance) implements BreakerStore {

    @Override
    public List<BreakerRow> readAll() {
        return memory.readAll();
    }

    @Override
    public Optional<Change> record(String breaker, Evidence evidence, Policy policy) {
        return memory.record(breaker, evidence, policy, instance);
    }

    @Override
    public int retire(Duration idle) {
        return memory.retire(idle);
    }

    @Override
    public Change coolDown(String breaker, Optional<RetryAfter> retryAfter, Failures failure, Policy policy) {
        return memory.coolDown(breaker, retryAfter, failure, policy, instance);
    }

    @Override
    public Optional<Change> acquireProbe(String breaker, Policy policy) {
        return memory.acquireProbe(breaker, policy);
    }

    @Override
    public Optional<Change> reportProbe(String breaker, long token, ProbeVerdict verdict, Policy policy) {
        return memory.reportProbe(breaker, token, verdict, policy, instance);
    }

    @Override
    public Change command(String breaker, OperatorCommand command) {
        return memory.command(breaker, command, instance);
    }

    @Override
    public List<HistoryEntry> history(HistoryQuery query) {
        return memory.history(query);
    }

    @Override
    public int trimHistory(Duration retention) {
        return memory.trimHistory(retention);
    }
}
