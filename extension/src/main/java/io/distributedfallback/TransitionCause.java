package io.distributedfallback;

/** What made a breaker change its state. */
public enum TransitionCause {
    /** The consecutive failures reached the threshold. */
    FAILURES,
    /** Enough probes, or the trial call, passed in a row. */
    PROBES
}
