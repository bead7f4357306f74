package io.distributedfallback.it.ladder.app;

/** Who answered a call. */
public enum Outcome {
    REDIS,
    LAST_GOOD,
    DATABASE,
    /** Nobody, and at once: the limit of the fallback was used up. */
    REFUSED,
    /** Nobody, for another reason. */
    FAILED
}
