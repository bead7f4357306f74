package io.distributedfallback;

/** How an open breaker learns that its provider is back. */
public enum Recovery {
    /** By a {@link Probe} method or a {@code probe-url}: no visitor's call is ever the test. */
    PROBE,
    /** By one leased real call at a time, over all instances; all other calls go to the fallback meanwhile. */
    TRIAL
}
