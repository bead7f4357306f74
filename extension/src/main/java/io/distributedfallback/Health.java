package io.distributedfallback;

/** What a breaker says about the readiness of an instance. */
public enum Health {
    /** The instance is ready, whatever becomes of the breaker: its fallback answers. */
    UP,
    /** The instance is not ready while the breaker sends calls to the fallback. */
    DOWN_WHEN_OPEN
}
