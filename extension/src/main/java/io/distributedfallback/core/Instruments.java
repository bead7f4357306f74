package io.distributedfallback.core;

import java.util.Optional;

/** Those who watch the calls of an application. Thread-safe; must neither block nor throw. */
public interface Instruments {

    /** Nobody watches, and a call pays nothing for that. */
    Instruments NONE = new Instruments() {};

    /**
     * Who counts the calls of a breaker. Asked when the breaker is made, for its keys not again; may be asked more than
     * once for a name, and then gives the same.
     *
     * @return empty if nobody does
     */
    default Optional<CallMeter> meter(String breaker) {
        return Optional.empty();
    }

    /** Who shows fallbacks and probes. */
    default Tracing tracing() {
        return Tracing.NONE;
    }
}
