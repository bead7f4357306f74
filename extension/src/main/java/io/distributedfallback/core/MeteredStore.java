package io.distributedfallback.core;

import io.distributedfallback.OperatorCommand;
import io.distributedfallback.RetryAfter;
import io.distributedfallback.core.StoreMeter.Operation;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.function.Supplier;

/**
 * A store of which each operation is measured.
 *
 * @param store the store
 * @param clock measures
 * @param meter gets the measurements
 */
public record MeteredStore(BreakerStore store, MonotonicClock clock, StoreMeter meter) implements BreakerStore {

    @Override
    public List<BreakerRow> readAll() {
        return measure(Operation.READ, store::readAll);
    }

    @Override
    public void requireWritable() {
        measure(Operation.OTHER, () -> {
            store.requireWritable();
            return true;
        });
    }

    @Override
    public Optional<Change> record(String breaker, Evidence evidence, Policy policy) {
        Optional<Change> change = measure(Operation.RECORD, () -> store.record(breaker, evidence, policy));
        int failures = evidence.failureCount();
        if (failures > 0) {
            meter.carried(failures);
        }
        return change;
    }

    @Override
    public Optional<Boolean> wasCommitted(long transaction) {
        return measure(Operation.OTHER, () -> store.wasCommitted(transaction));
    }

    @Override
    public int retire(Duration idle) {
        return measure(Operation.OTHER, () -> store.retire(idle));
    }

    @Override
    public Change coolDown(String breaker, Optional<RetryAfter> retryAfter, Failures failure, Policy policy) {
        return measure(Operation.COOLDOWN, () -> store.coolDown(breaker, retryAfter, failure, policy));
    }

    @Override
    public Optional<Change> acquireProbe(String breaker, Policy policy) {
        return measure(Operation.LEASE, () -> store.acquireProbe(breaker, policy));
    }

    @Override
    public Optional<Change> reportProbe(String breaker, long token, ProbeVerdict verdict, Policy policy) {
        return measure(Operation.VERDICT, () -> store.reportProbe(breaker, token, verdict, policy));
    }

    @Override
    public Change command(String breaker, OperatorCommand command) {
        return measure(Operation.COMMAND, () -> store.command(breaker, command));
    }

    @Override
    public List<HistoryEntry> history(HistoryQuery query) {
        return measure(Operation.OTHER, () -> store.history(query));
    }

    @Override
    public int trimHistory(Duration retention) {
        return measure(Operation.OTHER, () -> store.trimHistory(retention));
    }

    private <T> T measure(Operation operation, Supplier<T> question) {
        long asked = clock.nanos();
        boolean failed = true;
        try {
            T answer = question.get();
            failed = false;
            return answer;
        } finally {
            meter.measured(operation, clock.nanos() - asked, failed);
        }
    }
}
