package io.distributedfallback.core;

import java.util.concurrent.Callable;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Future;

/** Stands before a primary: decides whether it is called, and whether the fallback answers. Thread-safe. */
public interface Guard {

    /** Makes a guarded call. */
    <T> T call(Callable<T> primary, Fallback<T> fallback, FailureRules rules) throws Exception;

    /** Makes a guarded call whose outcome is that of a stage. Whatever goes wrong is the failure of the stage. */
    <T> CompletionStage<T> callStage(
            Callable<? extends CompletionStage<T>> primary,
            Fallback<? extends CompletionStage<T>> fallback,
            FailureRules rules);

    /**
     * Makes a guarded call whose outcome is that of a future, which tells of it when it is asked. Whatever goes wrong is
     * the failure of the future.
     */
    <T> Future<T> callFuture(
            Callable<? extends Future<T>> primary, Fallback<? extends Future<T>> fallback, FailureRules rules);
}
