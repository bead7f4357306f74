package io.distributedfallback.core;

import java.util.function.Supplier;

/**
 * What answers instead of the primary. What it needs for one call comes with the call, as for {@link Primary}.
 *
 * @param <C> what it needs
 * @param <T> the type of the answer
 */
@FunctionalInterface
public interface Fallback<C, T> {

    /**
     * Answers.
     *
     * @param failure why the primary does not; built when it is asked for, because few ask
     */
    T answer(C context, Supplier<? extends Throwable> failure) throws Throwable;

    /** Whether this answers nothing, and throws the failure as it is. */
    default boolean isNone() {
        return false;
    }

    /** As {@link #isNone()}, for one call; asked before it is to be answered. */
    default boolean isNone(C context) {
        return isNone();
    }

    /** Where the answer comes from that has just been given to a call; asked at most once for each answer. */
    default Origin originOf(C context) {
        return Origin.FALLBACK;
    }

    /** No fallback: the failure is the outcome. */
    static <C, T> Fallback<C, T> none() {
        return new Fallback<>() {
            @Override
            public T answer(C context, Supplier<? extends Throwable> failure) throws Throwable {
                throw failure.get();
            }

            @Override
            public boolean isNone() {
                return true;
            }
        };
    }
}
