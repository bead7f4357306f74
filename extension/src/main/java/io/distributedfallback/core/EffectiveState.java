package io.distributedfallback.core;

/** The state that a breaker acts on: its own, or that which an operator forced it to. */
public enum EffectiveState {
    /** Closed by itself. */
    CLOSED,
    /** Open by itself. */
    OPEN,
    /** Open because an operator wants it so, whatever its own state is. */
    FORCED_OPEN,
    /** Closed because an operator wants it so, whatever its own state is. */
    FORCED_CLOSED;

    boolean isOpen() {
        return this == OPEN || this == FORCED_OPEN;
    }
}
