package io.distributedfallback.core;

import java.time.Duration;
import java.util.Optional;

/** The answer to a call that asks where to go. */
final class Admission {

    /** To the primary, because the breaker says so. */
    static final Admission ROUTED = new Admission(Optional.empty(), 0);

    /** To the primary and nowhere else: the call is part of the breaker's own probe, which must hear the provider. */
    static final Admission OF_THE_PROBE = new Admission(Optional.empty(), 0);

    private final Optional<Lease> lease;
    private final long ramp;
    private final Sighting rejectedBy;
    private final long rejectedAtNanos;
    private final double share;

    private Admission(Optional<Lease> lease, long ramp) {
        this.lease = lease;
        this.ramp = ramp;
        this.rejectedBy = null;
        this.rejectedAtNanos = 0;
        this.share = 0;
    }

    private Admission(Sighting rejectedBy, long rejectedAtNanos, double share) {
        this.lease = Optional.empty();
        this.ramp = 0;
        this.rejectedBy = rejectedBy;
        this.rejectedAtNanos = rejectedAtNanos;
        this.share = share;
    }

    /** To the primary, as the one trial call. */
    static Admission trial(Lease lease) {
        return new Admission(Optional.of(lease), 0);
    }

    /** To the primary, as one of the share that it gets while that grows. */
    static Admission ofTheShare(long ramp) {
        return new Admission(Optional.empty(), ramp);
    }

    /**
     * To the fallback, while the share that the primary gets grows.
     *
     * @param share with this share or more the call would have gone to the primary
     */
    static Admission beyondTheShare(Sighting by, long atNanos, double share) {
        return new Admission(by, atNanos, share);
    }

    /**
     * To the fallback. Keeps what the call was rejected by: the fallback may ask for the reason later, when the breaker
     * has closed meanwhile, and must not be told another one.
     */
    static Admission rejected(Sighting by, long atNanos) {
        return new Admission(by, atNanos, 0);
    }

    boolean isRejected() {
        return rejectedBy != null;
    }

    /** What was seen when the call was rejected. */
    Sighting rejectedBy() {
        return rejectedBy;
    }

    /** Why the call was rejected. */
    FallbackReason reason() {
        return rejectedBy.reason(rejectedAtNanos);
    }

    /** The time after which a retry makes sense; as different from call to call as is the share that each would have needed. */
    Duration retryAfter(long now) {
        return reason() == FallbackReason.RAMP_UP ? rejectedBy.untilShareIs(share, now) : rejectedBy.retryAfter(now);
    }

    long rejectedAtNanos() {
        return rejectedAtNanos;
    }

    /** Whether the shared word alone has not decided yet where it goes: neither rejected, nor a trial, nor of a probe. */
    boolean isOrdinary() {
        return !isRejected() && lease.isEmpty() && this != OF_THE_PROBE;
    }

    /** The token of the recovery whose growing share it belongs to; 0 if there is none. */
    long ramp() {
        return ramp;
    }

    /** The lease of a trial call; its outcome is the verdict. */
    Optional<Lease> lease() {
        return lease;
    }
}
