package io.distributedfallback.core;

/** What becomes of calls that wait. */
public enum QueueStep {
    /** Stored instead of made. */
    STORED,
    /** A stored call was made. */
    REPLAYED,
    /** An attempt to make a stored call failed, and there will be another one. */
    FAILED,
    /** A stored call was given up. */
    DEAD
}
