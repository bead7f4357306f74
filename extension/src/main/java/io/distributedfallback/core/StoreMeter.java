package io.distributedfallback.core;

/** Measures what a store is asked. Thread-safe; must neither block nor throw. */
public interface StoreMeter {

    /** What a store is asked for. */
    enum Operation {
        /** To read all rows. */
        READ,
        /** To take in how calls fared. */
        RECORD,
        /** To start or extend a cooldown. */
        COOLDOWN,
        /** To grant the right to probe. */
        LEASE,
        /** To take a probe's verdict. */
        VERDICT,
        /** To carry out an operator's command. */
        COMMAND,
        /** Anything else: the history, the deletion of rows, doubts about a write, and whether one is possible. */
        OTHER
    }

    /**
     * An operation has ended.
     *
     * @param nanos how long it took
     * @param failed whether the store threw; that it had nothing to change is no failure
     */
    void measured(Operation operation, long nanos, boolean failed);

    /** Failures of calls have been recorded, by one operation. */
    void carried(long failures);
}
