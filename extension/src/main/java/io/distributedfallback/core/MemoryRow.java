package io.distributedfallback.core;

import io.distributedfallback.BreakerState;
import io.distributedfallback.BreakerStatus.Holds;
import io.distributedfallback.BreakerStatus.LastFailure;
import io.distributedfallback.BreakerStatus.OperatorOverride;
import io.distributedfallback.BreakerStatus.RecoveryProgress;
import io.distributedfallback.BreakerStatus.Standing;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.concurrent.TimeUnit;

/** One row of a {@link MemoryBreakerStore}, guarded by it. Deadlines are moments of the store's clock, null if not set. */
final class MemoryRow {

    long version;
    BreakerState state = BreakerState.CLOSED;
    int consecutiveFailures;
    OptionalInt countedAgainst = OptionalInt.empty();
    Instant openedAt;
    Instant closedAt;
    int consecutiveSuccesses;
    Instant nextProbeAt;
    Instant leaseUntil;
    long token;
    Instant cooldownUntil;

    private OperatorOverride override;
    private Instant overrideUntil;
    private LastFailure lastFailure;

    static MemoryRow of(BreakerRow read, Instant now) {
        MemoryRow row = new MemoryRow();
        row.version = read.version();
        row.state = read.standing().state();
        row.consecutiveFailures = read.standing().consecutiveFailures();
        row.countedAgainst = read.standing().countedAgainst();
        row.openedAt = read.standing().openedAt().orElse(null);
        row.closedAt = read.standing().closedAt().orElse(null);
        row.consecutiveSuccesses = read.recovery().consecutiveSuccesses();
        row.nextProbeAt = read.recovery().untilNextProbe().map(now::plus).orElse(null);
        row.leaseUntil = endOf(read.recovery().leaseLeft(), now);
        row.token = read.recovery().token();
        row.cooldownUntil = endOf(read.holds().cooldownLeft(), now);
        row.override = read.holds().override().orElse(null);
        row.overrideUntil = read.holds()
                .override()
                .flatMap(OperatorOverride::left)
                .map(now::plus)
                .orElse(null);
        row.lastFailure = read.lastFailure().orElse(null);
        return row;
    }

    BreakerRow asOf(String name, Instant now) {
        return new BreakerRow(
                name,
                version,
                new Standing(
                        state,
                        consecutiveFailures,
                        countedAgainst,
                        Optional.ofNullable(openedAt),
                        Optional.ofNullable(closedAt)),
                new RecoveryProgress(
                        consecutiveSuccesses,
                        state == BreakerState.OPEN ? Optional.of(left(nextProbeAt, now)) : Optional.empty(),
                        left(leaseUntil, now),
                        token),
                new Holds(left(cooldownUntil, now), override(now)),
                Optional.ofNullable(lastFailure));
    }

    /** The microsecond of the change, or one more than before: grows, and never starts at 1 again. */
    void stamp(Instant now) {
        long micros = TimeUnit.SECONDS.toMicros(now.getEpochSecond()) + TimeUnit.NANOSECONDS.toMicros(now.getNano());
        version = Math.max(version + 1, micros);
    }

    void count(Failures failures, Policy policy) {
        consecutiveFailures += failures.count();
        countedAgainst = OptionalInt.of(policy.failureThreshold());
    }

    void forgetFailures() {
        consecutiveFailures = 0;
        countedAgainst = OptionalInt.empty();
    }

    void takeFailure(Failures failures, String instance, Instant now) {
        lastFailure = new LastFailure(now, failures.kind(), failures.text(), instance);
    }

    boolean probeMayStart(Instant now) {
        return hasCome(nextProbeAt, now)
                && hasCome(cooldownUntil, now)
                && hasCome(leaseUntil, now)
                && !isOverridden(now);
    }

    boolean isOverridden(Instant now) {
        return override != null && (overrideUntil == null || overrideUntil.isAfter(now));
    }

    private Optional<OperatorOverride> override(Instant now) {
        return isOverridden(now)
                ? Optional.of(new OperatorOverride(
                        override.mode(),
                        override.by(),
                        override.reason(),
                        Optional.ofNullable(overrideUntil).map(end -> left(end, now))))
                : Optional.empty();
    }

    private static boolean hasCome(Instant deadline, Instant now) {
        return deadline == null || !deadline.isAfter(now);
    }

    private static Duration left(Instant deadline, Instant now) {
        return hasCome(deadline, now) ? Duration.ZERO : Duration.between(now, deadline);
    }

    private static Instant endOf(Duration left, Instant now) {
        return left.isZero() ? null : now.plus(left);
    }
}
