package io.distributedfallback.core;

import io.distributedfallback.BreakerStatus;
import io.distributedfallback.BreakerStatus.Holds;
import io.distributedfallback.BreakerStatus.OperatorOverride;
import io.distributedfallback.BreakerStatus.RampUp;
import io.distributedfallback.BreakerStatus.RecoveryProgress;
import io.distributedfallback.BreakerStatus.Window;
import io.distributedfallback.OverrideMode;
import io.distributedfallback.Route;
import java.time.Duration;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.concurrent.TimeUnit;

/**
 * A row as this instance saw it, and what follows from it at a later moment of the instance's own monotonic clock.
 *
 * @param row the row
 * @param askedNanos before the store was asked
 * @param receivedNanos after it had answered; remaining durations count from here, so that none ends too early
 * @param epoch which store answered: grows each time the instance changes between the shared store and its stand-in
 */
record Sighting(BreakerRow row, long askedNanos, long receivedNanos, int epoch) {

    /**
     * Whether this tells more than another sighting of the same breaker. Answers can arrive in another order than the
     * store gave them: a read that was asked before a write came back may not know of it, and then the version decides.
     */
    boolean supersedes(Sighting other) {
        if (epoch != other.epoch) {
            return epoch - other.epoch > 0;
        }
        return askedNanos - other.receivedNanos >= 0 || row.version() >= other.row.version();
    }

    /** Whether another one found the row as it is here; what ran out by itself meanwhile is a difference. */
    boolean isLike(Sighting other) {
        return row.version() == other.row.version()
                && route(receivedNanos) == other.route(other.receivedNanos)
                && row.holds().override().isPresent()
                        == other.row.holds().override().isPresent();
    }

    /**
     * Routing is a pure function of the row: as an operator forced it; else to the fallback while open or cooling down;
     * else to the primary.
     */
    Route route(long now) {
        if (!row.matters()) {
            return Route.PRIMARY;
        }
        if (isOverridden(now)) {
            OverrideMode mode = row.holds().override().get().mode();
            return mode == OverrideMode.FORCED_OPEN ? Route.FALLBACK : Route.PRIMARY;
        }
        return row.isOpen() || isCoolingDown(now) ? Route.FALLBACK : Route.PRIMARY;
    }

    /** Whether it is open, and no operator sends calls to the primary all the same. */
    boolean isOpenForAll(long now) {
        return row.isOpen() && route(now) == Route.FALLBACK;
    }

    /** Whether it is the word of the stand-in, and open: this instance has opened it, or knew it to be open. */
    boolean isOpenInStandIn() {
        return StoreHealth.isOfStandIn(epoch) && row.isOpen();
    }

    /** Whether asking for the right to probe makes sense; the store decides. */
    boolean isProbeDue(long now) {
        RecoveryProgress recovery = row.recovery();
        return row.isOpen()
                && (recovery.untilNextProbe().isEmpty()
                        || hasPassed(recovery.untilNextProbe().get(), now))
                && hasPassed(recovery.leaseLeft(), now)
                && !isCoolingDown(now)
                && !isOverridden(now);
    }

    /** The state that it acts on. */
    EffectiveState state(long now) {
        if (isOverridden(now)) {
            OverrideMode mode = row.holds().override().get().mode();
            return mode == OverrideMode.FORCED_OPEN ? EffectiveState.FORCED_OPEN : EffectiveState.FORCED_CLOSED;
        }
        return row.isOpen() ? EffectiveState.OPEN : EffectiveState.CLOSED;
    }

    /** The moment at which an override ends by itself; empty if there is none, or it has no end. */
    OptionalLong overrideEnd() {
        return row.holds()
                .override()
                .flatMap(OperatorOverride::left)
                .map(left -> OptionalLong.of(
                        receivedNanos + Math.min(TimeUnit.NANOSECONDS.convert(left), Long.MAX_VALUE / 2)))
                .orElse(OptionalLong.empty());
    }

    /** Why a call is kept from the primary. */
    FallbackReason reason(long now) {
        if (isOverridden(now)) {
            return FallbackReason.FORCED;
        }
        if (row.isOpen()) {
            return FallbackReason.OPEN;
        }
        return isCoolingDown(now) ? FallbackReason.COOLDOWN : FallbackReason.RAMP_UP;
    }

    /** The time after which a retry of a rejected call makes sense. */
    Duration retryAfter(long now) {
        Optional<Duration> overrideLeft = override(now).flatMap(OperatorOverride::left);
        if (overrideLeft.isPresent()) {
            return overrideLeft.get();
        }
        Duration cooldown = left(row.holds().cooldownLeft(), now);
        Duration probe =
                row.recovery().untilNextProbe().map(left -> left(left, now)).orElse(Duration.ZERO);
        return cooldown.compareTo(probe) > 0 ? cooldown : probe;
    }

    /** Whether only a share of the calls goes to the primary yet. */
    boolean isRampingUp(long now) {
        Optional<RampUp> ramp = row.recovery().rampUp();
        return ramp.isPresent() && !hasPassed(ramp.get().left(), now) && !isOverridden(now);
    }

    /** The share of the calls that goes to the primary. */
    double share(long now) {
        return rampUp(now).map(RampUp::share).orElse(1.0);
    }

    /** How long it takes until the primary gets that share of the calls. */
    Duration untilShareIs(double share, long now) {
        Optional<RampUp> ramp = rampUp(now);
        if (ramp.isEmpty()) {
            return Duration.ZERO;
        }
        double rest = (1 - share) * TimeUnit.NANOSECONDS.convert(ramp.get().length());
        Duration left = ramp.get().left().minusNanos(Math.round(rest));
        return left.isNegative() ? Duration.ZERO : left;
    }

    private Optional<RampUp> rampUp(long now) {
        return row.recovery()
                .rampUp()
                .map(ramp -> new RampUp(left(ramp.left(), now), ramp.length()))
                .filter(ramp -> !ramp.left().isZero());
    }

    /** The row with its remaining durations as they are now. */
    BreakerRow at(long now) {
        RecoveryProgress recovery = row.recovery();
        return new BreakerRow(
                row.name(),
                row.version(),
                row.standing(),
                new Window(
                        row.window().calls(),
                        row.window().failures(),
                        left(row.window().left(), now)),
                new RecoveryProgress(
                        recovery.consecutiveSuccesses(),
                        recovery.untilNextProbe().map(left -> left(left, now)),
                        left(recovery.leaseLeft(), now),
                        recovery.token(),
                        rampUp(now)),
                new Holds(left(row.holds().cooldownLeft(), now), override(now)),
                row.lastFailure());
    }

    /** @param alone whether this instance keeps away on its own evidence */
    BreakerStatus status(long now, boolean alone, Optional<Duration> copyAge) {
        BreakerRow current = at(now);
        return new BreakerStatus(
                row.name(),
                alone ? Route.FALLBACK : route(now),
                alone,
                current.standing(),
                current.window(),
                current.recovery(),
                current.holds(),
                current.lastFailure(),
                copyAge);
    }

    /** Why a call was kept from the primary, for the message of a rejection. */
    String describe(long now) {
        String reason = isOverridden(now)
                ? "was forced open by an operator"
                : row.isOpen()
                        ? "is open"
                        : isCoolingDown(now)
                                ? "keeps a pause that the provider asked for"
                                : "has closed, and so far lets only a share of the calls through";
        String why = "breaker " + row.name() + " " + reason;
        return row.lastFailure()
                .map(failure -> why + "; last failure: " + failure.kind() + " " + failure.text())
                .orElse(why);
    }

    /** Whether a success has something to set back, or belongs into a window. */
    boolean wantsSuccesses(long now) {
        return row.isCounting() || (row.hasWindow() && !hasPassed(row.window().left(), now));
    }

    private boolean isCoolingDown(long now) {
        return !hasPassed(row.holds().cooldownLeft(), now);
    }

    /** Asked with each call while the row matters, and so without lambdas. */
    boolean isOverridden(long now) {
        Optional<OperatorOverride> override = row.holds().override();
        if (override.isEmpty()) {
            return false;
        }
        Optional<Duration> left = override.get().left();
        return left.isEmpty() || !hasPassed(left.get(), now);
    }

    private Optional<OperatorOverride> override(long now) {
        return row.holds()
                .override()
                .filter(override -> isOverridden(now))
                .map(override -> new OperatorOverride(
                        override.mode(),
                        override.by(),
                        override.reason(),
                        override.left().map(left -> left(left, now))));
    }

    /** Somebody may have written a time by hand that is too far away to be counted in nanoseconds: it has not come. */
    private boolean hasPassed(Duration leftWhenReceived, long now) {
        return leftWhenReceived.isZero() || TimeUnit.NANOSECONDS.convert(leftWhenReceived) <= now - receivedNanos;
    }

    private Duration left(Duration leftWhenReceived, long now) {
        Duration left = leftWhenReceived.minusNanos(now - receivedNanos);
        return left.isNegative() ? Duration.ZERO : left;
    }
}
