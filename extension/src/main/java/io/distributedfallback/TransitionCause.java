package io.distributedfallback;

/** What made a breaker change its state. */
public enum TransitionCause {
    /** The consecutive failures reached the threshold. */
    FAILURES,
    /** The share of the window's calls that failed reached {@code failure-ratio}. */
    FAILURE_RATIO,
    /**
     * A call failed that belonged to the share which was let through again after the last outage, while that was still
     * growing ({@code ramp-up}).
     */
    RAMP_UP,
    /** Enough probes, or the trial call, passed in a row. */
    PROBES,
    /** An operator reset it. In the history also what operators commanded without a change of state. */
    OPERATOR
}
