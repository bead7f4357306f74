package io.distributedfallback.core;

import java.util.Optional;

/** The answer to a call that asks where to go. */
final class Admission {

    /** To the primary, because the breaker says so. */
    static final Admission ROUTED = new Admission(Optional.empty());

    /** To the fallback. */
    static final Admission REJECTED = new Admission(Optional.empty());

    /** To the primary and nowhere else: the call is part of the breaker's own probe, which must hear the provider. */
    static final Admission OF_THE_PROBE = new Admission(Optional.empty());

    private final Optional<Lease> lease;

    private Admission(Optional<Lease> lease) {
        this.lease = lease;
    }

    /** To the primary, as the one trial call. */
    static Admission trial(Lease lease) {
        return new Admission(Optional.of(lease));
    }

    /** The lease of a trial call; its outcome is the verdict. */
    Optional<Lease> lease() {
        return lease;
    }
}
