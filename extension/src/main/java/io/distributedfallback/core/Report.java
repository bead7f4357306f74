package io.distributedfallback.core;

import java.util.function.BooleanSupplier;

/** Gets told how one call to the primary fared, once. */
interface Report {

    /** It did well. */
    default void succeeded() {}

    /** It failed. Does not wait for the store. */
    Recorded failed(Throwable thrown);

    /** The fallback of that call, watched; it answers after a failure, with a stage or a future. */
    <C, T> Fallback<C, T> watched(Fallback<C, T> fallback);

    /** Whether {@link #succeeded} may have to wait for the store. */
    default boolean mayWriteAfterSuccess() {
        return false;
    }

    /** Whether the call is done, for one that does not tell by itself. Asked, on any thread, before it counts as slow. */
    default void askWhenOverdue(BooleanSupplier isDone) {}

    /** The fallback has failed too, and not with an error: the failure of the primary is the outcome. */
    default Throwable outcomeOf(Throwable first, Throwable second) {
        Causes.suppress(second, first);
        return first;
    }
}
