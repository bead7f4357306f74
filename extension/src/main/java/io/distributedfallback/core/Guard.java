package io.distributedfallback.core;

import java.util.concurrent.CompletionStage;
import java.util.concurrent.Future;

/**
 * Stands before a primary: decides whether it is called, and whether the fallback answers. Both get the context of the
 * call. Thread-safe.
 */
public interface Guard {

    /** Makes a guarded call. */
    <C, T> T call(C context, Primary<C, T> primary, Fallback<C, T> fallback, FailureRules rules) throws Exception;

    /** Makes a guarded call whose outcome is that of a stage. Whatever goes wrong is the failure of the stage. */
    <C, T> CompletionStage<T> callStage(
            C context,
            Primary<C, ? extends CompletionStage<T>> primary,
            Fallback<C, ? extends CompletionStage<T>> fallback,
            FailureRules rules);

    /**
     * Makes a guarded call whose outcome is that of a future, which tells of it when it is asked. Whatever goes wrong is
     * the failure of the future.
     */
    <C, T> Future<T> callFuture(
            C context,
            Primary<C, ? extends Future<T>> primary,
            Fallback<C, ? extends Future<T>> fallback,
            FailureRules rules);
}
