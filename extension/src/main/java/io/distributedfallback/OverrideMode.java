package io.distributedfallback;

/** An operator's word on a breaker, above state and cooldown in routing. */
public enum OverrideMode {
    /** All calls go to the fallback. */
    FORCED_OPEN,
    /** All calls go to the primary. */
    FORCED_CLOSED
}
