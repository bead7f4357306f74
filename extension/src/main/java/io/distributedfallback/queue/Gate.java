package io.distributedfallback.queue;

/** What a queue needs to know of breakers. Thread-safe; never waits. */
public interface Gate {

    /** Whether calls go to the primary. */
    boolean isClear(String breaker);

    /** Whether the breaker is open, and the next call may be the trial that closes it. */
    default boolean isTrialDue(String breaker) {
        return false;
    }

    /** Nobody calls, but calls wait: whether the provider has recovered is to be found out all the same. */
    void lookAfter(String breaker);
}
