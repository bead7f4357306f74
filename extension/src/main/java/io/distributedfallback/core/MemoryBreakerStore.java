package io.distributedfallback.core;

import io.distributedfallback.BreakerCommanded;
import io.distributedfallback.BreakerState;
import io.distributedfallback.BreakerTransition;
import io.distributedfallback.OperatorCommand;
import io.distributedfallback.RetryAfter;
import io.distributedfallback.TransitionCause;
import java.time.Duration;
import java.time.Instant;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Breakers in the memory of one instance: the whole contract of {@link BreakerStore}, with the last
 * {@value MemoryHistory#MOST} entries of the history, and what it knows ends with the instance. It serves a server that runs alone ({@code store=memory}), stands in while the database is away,
 * and is the model that the database's statements are tested against.
 *
 * <p>Its time is a monotonic clock. One lock guards all rows: no method does more than a little arithmetic under it.
 */
public final class MemoryBreakerStore implements BreakerStore {

    private final MonotonicClock clock;
    private final long startNanos;
    private final Instant epoch;
    private final String instance;

    /** Guarded by this. */
    private final Map<String, MemoryRow> rows = new HashMap<>();

    /** Guarded by this. */
    private final MemoryHistory history = new MemoryHistory();

    /**
     * Makes an empty store.
     *
     * @param clock measures the time from now on
     * @param epoch what a calendar says now; times shown, and no others, are this plus what the clock has measured
     * @param instance the id of this instance
     */
    public MemoryBreakerStore(MonotonicClock clock, Instant epoch, String instance) {
        this.clock = clock;
        this.epoch = epoch;
        this.instance = instance;
        startNanos = clock.nanos();
    }

    /** These very breakers, as another instance that shared this memory would use them: for simulations. */
    public BreakerStore sharedBy(String other) {
        return new SharedMemory(this, other);
    }

    /**
     * Takes over rows and forgets all others. What remained when they were read is counted from now on; a lease that has
     * run out is taken for one that was given back.
     */
    synchronized void adopt(Collection<BreakerRow> adopted) {
        Instant now = now();
        rows.clear();
        for (BreakerRow row : adopted) {
            if (row.version() > 0) {
                rows.put(row.name(), MemoryRow.of(row, now));
            }
        }
    }

    @Override
    public synchronized List<BreakerRow> readAll() {
        Instant now = now();
        return rows.entrySet().stream()
                .map(entry -> entry.getValue().asOf(entry.getKey(), now))
                .filter(BreakerRow::matters)
                .toList();
    }

    @Override
    public Optional<Change> record(String breaker, Evidence evidence, Policy policy) {
        return record(breaker, evidence, policy, instance);
    }

    synchronized Optional<Change> record(String breaker, Evidence evidence, Policy policy, String instance) {
        Instant now = now();
        MemoryRow row = rows.get(breaker);
        if (evidence.isEmpty()) {
            return Optional.empty();
        }
        if (row != null && row.isBeyond(evidence, now)) {
            return evidence.failures().map(late -> change(breaker, rows.get(breaker), now));
        }
        if (evidence.failures().isPresent()) {
            row = rows.computeIfAbsent(breaker, name -> new MemoryRow());
            row.takeFailure(evidence.failures().get(), instance, now);
        } else if (row == null || !row.wantsSuccesses(now)) {
            return Optional.empty();
        }
        row.stamp(now);
        Optional<TransitionCause> cause =
                row.state == BreakerState.OPEN ? Optional.empty() : row.count(evidence, policy, now);
        if (cause.isEmpty()) {
            return Optional.of(change(breaker, row, now));
        }
        row.open(cause.get(), policy, now);
        HistoryEntry.Evidence shown = row.evidence(PolicyText.of(policy), now).inRampUp(row.ramp.percentage(now));
        return Optional.of(transition(breaker, row, shown, now, cause.get(), instance));
    }

    @Override
    public synchronized int retire(Duration idle) {
        Instant now = now();
        int before = rows.size();
        rows.values().removeIf(row -> row.isIdle(idle, now));
        return before - rows.size();
    }

    @Override
    public Change coolDown(String breaker, Optional<RetryAfter> retryAfter, Failures failure, Policy policy) {
        return coolDown(breaker, retryAfter, failure, policy, instance);
    }

    synchronized Change coolDown(
            String breaker, Optional<RetryAfter> retryAfter, Failures failure, Policy policy, String instance) {
        Instant now = now();
        MemoryRow row = rows.computeIfAbsent(breaker, name -> new MemoryRow());
        row.takeFailure(failure, instance, now);
        row.stamp(now);
        row.coolDown(end(retryAfter, policy, now, now.plus(policy.maxCooldown())), now);
        return change(breaker, row, now);
    }

    private static Instant end(Optional<RetryAfter> retryAfter, Policy policy, Instant now, Instant latest) {
        RetryAfter asked = retryAfter.orElseGet(() -> new RetryAfter.In(policy.cooldown()));
        if (asked instanceof RetryAfter.At at) {
            return at.moment().isBefore(latest) ? at.moment() : latest;
        }
        RetryAfter.In in = (RetryAfter.In) asked;
        return in.delay().compareTo(policy.maxCooldown()) < 0 ? now.plus(in.delay()) : latest;
    }

    @Override
    public synchronized Optional<Change> acquireProbe(String breaker, Policy policy) {
        Instant now = now();
        MemoryRow row = rows.get(breaker);
        if (row == null || row.state == BreakerState.CLOSED || !row.probeMayStart(now)) {
            return Optional.empty();
        }
        row.stamp(now);
        row.token = row.version;
        row.leaseUntil = now.plus(policy.probeLease());
        return Optional.of(change(breaker, row, now));
    }

    @Override
    public Optional<Change> reportProbe(String breaker, long token, ProbeVerdict verdict, Policy policy) {
        return reportProbe(breaker, token, verdict, policy, instance);
    }

    synchronized Optional<Change> reportProbe(
            String breaker, long token, ProbeVerdict verdict, Policy policy, String instance) {
        Instant now = now();
        MemoryRow row = rows.get(breaker);
        if (row == null || row.state == BreakerState.CLOSED || row.token != token || row.leaseUntil == null) {
            return Optional.empty();
        }
        row.leaseUntil = null;
        row.stamp(now);
        ProbeVerdict counted = row.isOverridden(now) ? ProbeVerdict.INCONCLUSIVE : verdict;
        switch (counted) {
            case PASS -> row.consecutiveSuccesses++;
            case FAIL -> row.consecutiveSuccesses = 0;
            case INCONCLUSIVE, ABANDONED -> {}
        }
        if (counted == ProbeVerdict.PASS && row.consecutiveSuccesses >= policy.probeSuccesses()) {
            HistoryEntry.Evidence evidence = row.evidence(PolicyText.of(policy), now);
            row.close(policy.rampUp(), now);
            return Optional.of(transition(breaker, row, evidence, now, TransitionCause.PROBES, instance));
        }
        if (counted != ProbeVerdict.ABANDONED) {
            row.nextProbeAt = now.plus(policy.probeInterval());
        }
        return Optional.of(change(breaker, row, now));
    }

    @Override
    public Change command(String breaker, OperatorCommand command) {
        return command(breaker, command, instance);
    }

    synchronized Change command(String breaker, OperatorCommand command, String instance) {
        Instant now = now();
        MemoryRow row = rows.computeIfAbsent(breaker, name -> new MemoryRow());
        BreakerState from = row.state;
        MemoryOverride before = row.override;
        HistoryEntry.Evidence evidence = row.evidence("", now);
        row.stamp(now);
        row.override = before.after(command, now);
        if (command.action() == OperatorCommand.Action.RESET) {
            row.reset(now);
        }
        HistoryEntry.Command entered = row.override.entry(command, before, now);
        BreakerTransition made =
                new BreakerTransition(breaker, from, row.state, TransitionCause.OPERATOR, instance, now);
        history.add(made, evidence, Optional.of(entered));
        return new Change(
                row.asOf(breaker, now),
                from == row.state ? Optional.empty() : Optional.of(made),
                Optional.of(new BreakerCommanded(breaker, command, instance, now)));
    }

    @Override
    public synchronized List<HistoryEntry> history(HistoryQuery query) {
        return history.find(query);
    }

    @Override
    public synchronized int trimHistory(Duration retention) {
        return history.forget(now().minus(retention));
    }

    private Instant now() {
        return epoch.plusNanos(clock.nanos() - startNanos);
    }

    private static Change change(String breaker, MemoryRow row, Instant now) {
        return new Change(row.asOf(breaker, now), Optional.empty());
    }

    private Change transition(
            String breaker,
            MemoryRow row,
            HistoryEntry.Evidence evidence,
            Instant now,
            TransitionCause cause,
            String instance) {
        BreakerState from = row.state == BreakerState.OPEN ? BreakerState.CLOSED : BreakerState.OPEN;
        BreakerTransition made = new BreakerTransition(breaker, from, row.state, cause, instance, now);
        history.add(made, evidence, Optional.empty());
        return new Change(row.asOf(breaker, now), Optional.of(made));
    }
}
