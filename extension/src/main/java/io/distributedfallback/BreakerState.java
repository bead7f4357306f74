package io.distributedfallback;

/** The states of a breaker. There are two: no state in which a visitor's call is the test. */
public enum BreakerState {
    /** Calls go to the primary. Also the state of a breaker that nothing is stored of. */
    CLOSED,
    /** Calls go to the fallback until probes have passed. */
    OPEN
}
