package io.distributedfallback.core;

/**
 * What is guarded. What it needs for one call comes with the call: so one object serves all calls, and none is made for
 * each.
 *
 * @param <C> what it needs
 * @param <T> the type of the answer
 */
@FunctionalInterface
public interface Primary<C, T> {

    /** Answers. */
    T answer(C context) throws Exception;
}
