package io.distributedfallback.core;

import io.distributedfallback.Degraded.Answer;

/** Takes down what answered instead of a primary, for whoever made the call. Thread-safe; must neither block nor throw. */
@FunctionalInterface
public interface Notes {

    /** Nobody wants to know. */
    Notes NONE = answer -> {};

    /** A call has ended. */
    void add(Answer answer);
}
