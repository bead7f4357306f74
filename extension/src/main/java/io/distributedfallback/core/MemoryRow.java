package io.distributedfallback.core;

import io.distributedfallback.BreakerState;
import io.distributedfallback.BreakerStatus.Holds;
import io.distributedfallback.BreakerStatus.LastFailure;
import io.distributedfallback.BreakerStatus.OperatorOverride;
import io.distributedfallback.BreakerStatus.RecoveryProgress;
import io.distributedfallback.BreakerStatus.Standing;
import io.distributedfallback.BreakerStatus.Window;
import io.distributedfallback.TransitionCause;
import java.time.Duration;
import java.time.Instant;
import java.util.LinkedHashSet;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Set;
import java.util.concurrent.TimeUnit;

/** One row of a {@link MemoryBreakerStore}, guarded by it. Deadlines are moments of the store's clock, null if not set. */
final class MemoryRow {

    long version;
    BreakerState state = BreakerState.CLOSED;
    int consecutiveFailures;
    OptionalInt countedAgainst = OptionalInt.empty();
    int windowCalls;
    int windowFailures;
    Instant windowUntil;
    Instant openedAt;
    Instant closedAt;
    int consecutiveSuccesses;
    Instant nextProbeAt;
    Instant leaseUntil;
    long token;
    Instant cooldownUntil;

    private final Set<String> failingInstances = new LinkedHashSet<>();
    private Instant updatedAt;
    private OperatorOverride override;
    private Instant overrideUntil;
    private LastFailure lastFailure;

    static MemoryRow of(BreakerRow read, Instant now) {
        MemoryRow row = new MemoryRow();
        row.version = read.version();
        row.state = read.standing().state();
        row.consecutiveFailures = read.standing().consecutiveFailures();
        row.countedAgainst = read.standing().countedAgainst();
        row.failingInstances.addAll(read.standing().failingInstances());
        row.windowCalls = read.window().calls();
        row.windowFailures = read.window().failures();
        row.windowUntil = endOf(read.window().left(), now);
        row.updatedAt = now;
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
                        consecutiveFailures > 0 || isWindowShown(now) ? failingInstances : Set.of(),
                        Optional.ofNullable(openedAt),
                        Optional.ofNullable(closedAt)),
                windowOf(now),
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
        updatedAt = now;
    }

    /** Whether evidence with no failure in it would change anything. */
    boolean wantsSuccesses(Instant now) {
        return state == BreakerState.CLOSED && (consecutiveFailures > 0 || hasWindow(now));
    }

    /**
     * Counts, while closed.
     *
     * @return why the breaker opens; empty if it does not
     */
    Optional<TransitionCause> count(Evidence evidence, String instance, Policy policy, Instant now) {
        boolean failed = evidence.failures().isPresent();
        forgetWhatIsOver(now);
        if (failed && policy.failureRatio().isPresent() && windowUntil == null) {
            windowUntil = now.plus(policy.window());
        }
        boolean counts = windowUntil != null;
        if (counts) {
            windowCalls = Evidence.sum(windowCalls, evidence.calls());
            windowFailures = Evidence.sum(windowFailures, evidence.failureCount());
        }
        if (failed && failingInstances.size() < Math.max(policy.quorum(), BreakerStore.INSTANCES_KEPT)) {
            failingInstances.add(instance);
        }
        int run = Evidence.sum(consecutiveFailures, evidence.firstRun());
        int enlarged = evidence.firstRun() > 0 ? run : 0;
        boolean manyInstances = failed && failingInstances.size() >= policy.quorum();
        boolean firstRun = enlarged >= policy.failureThreshold() && manyInstances;
        boolean laterRun =
                evidence.longestRun() >= policy.failureThreshold() && (counts ? manyInstances : policy.quorum() == 1);
        if (evidence.hasSuccess() && !counts && !firstRun) {
            failingInstances.clear();
            if (laterRun || evidence.lastRun() > 0) {
                failingInstances.add(instance);
            }
        }
        if (firstRun || laterRun) {
            setCount(Math.max(enlarged, evidence.longestRun()), policy);
            return Optional.of(TransitionCause.FAILURES);
        }
        setCount(evidence.hasSuccess() ? evidence.lastRun() : run, policy);
        return manyInstances && counts && reaches(policy)
                ? Optional.of(TransitionCause.FAILURE_RATIO)
                : Optional.empty();
    }

    private void setCount(int failures, Policy policy) {
        consecutiveFailures = failures;
        countedAgainst = failures > 0 ? OptionalInt.of(policy.failureThreshold()) : OptionalInt.empty();
    }

    private void forgetWhatIsOver(Instant now) {
        if (!hasWindow(now)) {
            windowCalls = 0;
            windowFailures = 0;
            windowUntil = null;
            if (consecutiveFailures == 0) {
                failingInstances.clear();
            }
        }
    }

    private boolean hasWindow(Instant now) {
        return !hasCome(windowUntil, now);
    }

    private boolean reaches(Policy policy) {
        return policy.failureRatio().isPresent()
                && windowCalls >= policy.minimumCalls()
                // Divided, and not multiplied: 7 of 100 are 0.07, but 0.07 * 100 is a little more than 7.
                && (double) windowFailures / windowCalls
                        >= policy.failureRatio().getAsDouble();
    }

    private boolean isWindowShown(Instant now) {
        return state == BreakerState.OPEN || hasWindow(now);
    }

    private Window windowOf(Instant now) {
        return isWindowShown(now) ? new Window(windowCalls, windowFailures, left(windowUntil, now)) : Window.NONE;
    }

    void open(Policy policy, Instant now) {
        state = BreakerState.OPEN;
        openedAt = now;
        nextProbeAt = now.plus(policy.probeInterval());
        leaseUntil = null;
        consecutiveSuccesses = 0;
        windowUntil = null;
    }

    void close(Instant now) {
        state = BreakerState.CLOSED;
        closedAt = now;
        consecutiveFailures = 0;
        countedAgainst = OptionalInt.empty();
        failingInstances.clear();
        windowCalls = 0;
        windowFailures = 0;
        consecutiveSuccesses = 0;
        nextProbeAt = null;
    }

    boolean isIdle(Duration idle, Instant now) {
        return state == BreakerState.CLOSED
                && !isOverridden(now)
                && hasCome(cooldownUntil, now)
                && !updatedAt.plus(idle).isAfter(now);
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
