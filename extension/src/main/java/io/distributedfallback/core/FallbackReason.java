package io.distributedfallback.core;

/** Why a fallback answers. */
public enum FallbackReason {
    /** The breaker is open. */
    OPEN,
    /** The call went to the primary, and failed. */
    FAILED,
    /** The provider asked for a pause. */
    COOLDOWN,
    /** The breaker has closed, and so far only a share of the calls goes to the primary. */
    RAMP_UP,
    /** An operator forced the breaker open. */
    FORCED
}
