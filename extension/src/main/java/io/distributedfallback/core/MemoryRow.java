package io.distributedfallback.core;

import io.distributedfallback.BreakerState;
import io.distributedfallback.BreakerStatus.Holds;
import io.distributedfallback.BreakerStatus.LastFailure;
import io.distributedfallback.BreakerStatus.RecoveryProgress;
import io.distributedfallback.BreakerStatus.Standing;
import io.distributedfallback.BreakerStatus.Window;
import io.distributedfallback.TransitionCause;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
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
    Instant openedAt;
    Instant closedAt;

    /** The same, if it was by the clock of this store, and not of the one that it stands in for. */
    private Instant closedHere;

    int consecutiveSuccesses;
    Instant nextProbeAt;
    Instant leaseUntil;
    long token;
    Instant cooldownUntil;
    MemoryOverride override = MemoryOverride.NONE;

    final MemoryRamp ramp = new MemoryRamp();

    private final MemoryWindow window = new MemoryWindow();
    private final MemoryFailures failures = new MemoryFailures();
    private Instant updatedAt;
    private LastFailure lastFailure;

    static MemoryRow of(BreakerRow read, Instant now) {
        MemoryRow row = new MemoryRow();
        row.version = read.version();
        row.state = read.standing().state();
        row.consecutiveFailures = read.standing().consecutiveFailures();
        row.countedAgainst = read.standing().countedAgainst();
        row.failures.instances().addAll(read.standing().failingInstances());
        row.window.adopt(read.window(), now);
        row.updatedAt = now;
        row.openedAt = read.standing().openedAt().orElse(null);
        row.closedAt = read.standing().closedAt().orElse(null);
        row.consecutiveSuccesses = read.recovery().consecutiveSuccesses();
        row.nextProbeAt = read.recovery().untilNextProbe().map(now::plus).orElse(null);
        row.leaseUntil = MemoryDeadline.endOf(read.recovery().leaseLeft(), now);
        row.token = read.recovery().token();
        row.ramp.adopt(read.recovery().rampUp(), now);
        row.cooldownUntil = MemoryDeadline.endOf(read.holds().cooldownLeft(), now);
        row.override = read.holds()
                .override()
                .map(word -> MemoryOverride.of(word, now))
                .orElse(MemoryOverride.NONE);
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
                        isCounted(now) ? failures.instances() : Set.of(),
                        Optional.ofNullable(openedAt),
                        Optional.ofNullable(closedAt)),
                windowOf(now),
                new RecoveryProgress(
                        consecutiveSuccesses,
                        state == BreakerState.OPEN
                                ? Optional.of(MemoryDeadline.left(nextProbeAt, now))
                                : Optional.empty(),
                        MemoryDeadline.left(leaseUntil, now),
                        token,
                        state == BreakerState.CLOSED ? ramp.asOf(now) : Optional.empty()),
                new Holds(MemoryDeadline.left(cooldownUntil, now), override.shown(now)),
                Optional.ofNullable(lastFailure));
    }

    /** The microsecond of the change, or one more than before: grows, and never starts at 1 again. */
    void stamp(Instant now) {
        long micros = TimeUnit.SECONDS.toMicros(now.getEpochSecond()) + TimeUnit.NANOSECONDS.toMicros(now.getNano());
        version = Math.max(version + 1, micros);
        updatedAt = now;
    }

    /** Whether failures change nothing any more: it is open, or it has closed since the calls began. */
    boolean isBeyond(Evidence evidence, Instant now) {
        if (state == BreakerState.OPEN) {
            return !isOverridden(now);
        }
        // A closing that is yet to come was before the clock was set back.
        return closedHere != null && !closedHere.isAfter(now) && closedHere.isAfter(now.minus(evidence.age()));
    }

    /** Whether evidence with no failure in it would change anything. */
    boolean wantsSuccesses(Instant now) {
        return state == BreakerState.CLOSED && (consecutiveFailures > 0 || window.isUnderWay(now));
    }

    /**
     * Counts, while closed.
     *
     * @return why the breaker opens; empty if it does not
     */
    Optional<TransitionCause> count(Evidence evidence, Policy policy, Instant now) {
        boolean failed = evidence.failures().isPresent();
        forgetWhatIsOver(now);
        if (failed && policy.failureRatio().isPresent() && !window.isUnderWay(now)) {
            window.begin(now.plus(policy.window()));
        }
        boolean counts = window.isUnderWay(now);
        if (counts) {
            window.add(evidence);
        }
        if (failed) {
            failures.add(lastFailure, policy.quorum());
        }
        boolean inRamp = failed && ramp.isEndedBy(evidence.failures().get(), token, policy, now);
        int threshold = inRamp ? 1 : policy.failureThreshold();
        int run = Evidence.sum(consecutiveFailures, evidence.firstRun());
        int enlarged = evidence.firstRun() > 0 ? run : 0;
        boolean manyInstances = failed && failures.instances().size() >= policy.quorum();
        boolean firstRun = enlarged >= threshold && manyInstances;
        boolean laterRun = evidence.longestRun() >= threshold && (counts ? manyInstances : policy.quorum() == 1);
        if (evidence.hasSuccess() && !counts && !firstRun) {
            failures.clear();
            if (laterRun || evidence.lastRun() > 0) {
                failures.add(lastFailure, policy.quorum());
            }
        }
        if (firstRun || laterRun) {
            setCount(Math.max(enlarged, evidence.longestRun()), policy);
            return Optional.of(inRamp ? TransitionCause.RAMP_UP : TransitionCause.FAILURES);
        }
        setCount(evidence.hasSuccess() ? evidence.lastRun() : run, policy);
        return manyInstances && counts && window.reaches(policy)
                ? Optional.of(TransitionCause.FAILURE_RATIO)
                : Optional.empty();
    }

    private void setCount(int failures, Policy policy) {
        consecutiveFailures = failures;
        countedAgainst = failures > 0 ? OptionalInt.of(policy.failureThreshold()) : OptionalInt.empty();
    }

    private void forgetWhatIsOver(Instant now) {
        if (!window.isUnderWay(now)) {
            window.clear();
            if (consecutiveFailures == 0) {
                failures.clear();
            }
        }
    }

    private boolean isCounted(Instant now) {
        return consecutiveFailures > 0 || isWindowShown(now);
    }

    /** What a change that is decided now rests on. */
    HistoryEntry.Evidence evidence(String policy, Instant now) {
        Window shown = windowOf(now);
        return new HistoryEntry.Evidence(
                consecutiveFailures,
                shown.calls(),
                shown.failures(),
                consecutiveSuccesses,
                isCounted(now) ? failures.instances() : Set.of(),
                isCounted(now) ? failures.last() : List.of(),
                policy);
    }

    private boolean isWindowShown(Instant now) {
        return state == BreakerState.OPEN || window.isUnderWay(now);
    }

    private Window windowOf(Instant now) {
        return isWindowShown(now) ? window.asOf(now) : Window.NONE;
    }

    void open(TransitionCause cause, Policy policy, Instant now) {
        state = BreakerState.OPEN;
        openedAt = now;
        nextProbeAt = now.plus(policy.probeInterval());
        leaseUntil = null;
        consecutiveSuccesses = 0;
        window.end();
        if (cause != TransitionCause.RAMP_UP) {
            ramp.end();
        }
    }

    void close(Optional<Duration> rampUp, Instant now) {
        state = BreakerState.CLOSED;
        closedAt = now;
        closedHere = now;
        consecutiveFailures = 0;
        countedAgainst = OptionalInt.empty();
        failures.clear();
        window.clear();
        consecutiveSuccesses = 0;
        nextProbeAt = null;
        ramp.begin(rampUp, MemoryDeadline.notBefore(now, cooldownUntil));
    }

    void reset(Instant now) {
        Instant closedBefore = closedAt;
        Instant closedHereBefore = closedHere;
        boolean wasOpen = state == BreakerState.OPEN;
        close(Optional.empty(), now);
        closedAt = wasOpen ? now : closedBefore;
        closedHere = wasOpen ? now : closedHereBefore;
        leaseUntil = null;
        cooldownUntil = null;
    }

    /** Only ever extends it. */
    void coolDown(Instant asked, Instant now) {
        if (cooldownUntil == null || cooldownUntil.isBefore(asked)) {
            cooldownUntil = asked;
        }
        if (state == BreakerState.CLOSED && ramp.isUnderWay(now)) {
            ramp.restart(MemoryDeadline.notBefore(now, cooldownUntil));
        }
    }

    boolean isIdle(Duration idle, Instant now) {
        return state == BreakerState.CLOSED
                && !isOverridden(now)
                && MemoryDeadline.hasCome(cooldownUntil, now)
                && !ramp.isUnderWay(now)
                && !updatedAt.plus(idle).isAfter(now);
    }

    void takeFailure(Failures taken, String instance, Instant now) {
        lastFailure = new LastFailure(now, taken.kind(), taken.text(), instance);
    }

    boolean probeMayStart(Instant now) {
        return MemoryDeadline.hasCome(nextProbeAt, now)
                && MemoryDeadline.hasCome(cooldownUntil, now)
                && MemoryDeadline.hasCome(leaseUntil, now)
                && !isOverridden(now);
    }

    boolean isOverridden(Instant now) {
        return override.isInForce(now);
    }
}
