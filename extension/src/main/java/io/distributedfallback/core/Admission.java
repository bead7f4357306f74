package io.distributedfallback.core;

import java.util.Optional;

/** The answer to a call that asks where to go. */
final class Admission {

    /** To the primary, because the breaker says so. */
    static final Admission ROUTED = new Admission(Optional.empty(), null, 0);

    /** To the primary and nowhere else: the call is part of the breaker's own probe, which must hear the provider. */
    static final Admission OF_THE_PROBE = new Admission(Optional.empty(), null, 0);

    private final Optional<Lease> lease;
    private final Sighting rejectedBy;
    private final long rejectedAtNanos;

    private Admission(Optional<Lease> lease, Sighting rejectedBy, long rejectedAtNanos) {
        this.lease = lease;
        this.rejectedBy = rejectedBy;
        this.rejectedAtNanos = rejectedAtNanos;
    }

    /** To the primary, as the one trial call. */
    static Admission trial(Lease lease) {
        return new Admission(Optional.of(lease), null, 0);
    }

    /**
     * To the fallback. Keeps what the call was rejected by: the fallback may ask for the reason later, when the breaker
     * has closed meanwhile, and must not be told another one.
     */
    static Admission rejected(Sighting by, long atNanos) {
        return new Admission(Optional.empty(), by, atNanos);
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

    long rejectedAtNanos() {
        return rejectedAtNanos;
    }

    /** The lease of a trial call; its outcome is the verdict. */
    Optional<Lease> lease() {
        return lease;
    }
}
