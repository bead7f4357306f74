package io.distributedfallback.core;

/** How one way that a call took ended. A call that fails on the primary and is answered by the fallback took two ways. */
public enum CallOutcome {
    /** The primary answered, however slowly. */
    PRIMARY_RETURNED,
    /** The primary threw, whatever that says about the provider. */
    PRIMARY_THREW,
    /** The fallback answered. */
    FALLBACK_RETURNED,
    /** The fallback threw. */
    FALLBACK_THREW,
    /** The call was kept from the primary, and there is no fallback. */
    REJECTED
}
