package io.distributedfallback.core;

import java.util.function.Supplier;

/**
 * What answers instead of the primary.
 *
 * @param <T> the type of the answer
 */
@FunctionalInterface
public interface Fallback<T> {

    /**
     * Answers.
     *
     * @param failure why the primary does not; built when it is asked for, because few ask
     */
    T answer(Supplier<? extends Throwable> failure) throws Throwable;

    /** No fallback: the failure is the outcome. */
    static <T> Fallback<T> none() {
        return failure -> {
            throw failure.get();
        };
    }
}
