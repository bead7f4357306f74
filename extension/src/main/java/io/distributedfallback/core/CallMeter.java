package io.distributedfallback.core;

/**
 * Counts the calls of one breaker, with those of all its keys. Called with each call, on the caller's thread, by many at
 * once: must neither block, nor throw, nor allocate, and not have all threads write to one place.
 */
@FunctionalInterface
public interface CallMeter {

    /** A way that a call took has ended. */
    void count(CallOutcome outcome);
}
