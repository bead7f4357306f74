package io.distributedfallback.core;

import io.distributedfallback.Breaker;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletionStage;

/** The calls that an application guards itself, without the annotation: each is one of {@link Guard}, with no context. */
abstract class CallableBreaker implements Breaker, Guard {

    private final FailureRules rules;

    /** @param rules for the failures of such calls; a guarded method brings its own */
    CallableBreaker(FailureRules rules) {
        this.rules = rules;
    }

    @Override
    public <T> T call(Callable<T> primary, Callable<T> fallback) throws Exception {
        return call(primary, Callable::call, (called, failure) -> fallback.call(), rules);
    }

    @Override
    public <T> T call(Callable<T> primary, FallbackFunction<T> fallback) throws Exception {
        return call(primary, Callable::call, (called, failure) -> fallback.answer(failure.get()), rules);
    }

    @Override
    public <T> T call(Callable<T> primary) throws Exception {
        return call(primary, Callable::call, Fallback.none(), rules);
    }

    @Override
    public <T> CompletionStage<T> callStage(
            Callable<? extends CompletionStage<T>> primary, Callable<? extends CompletionStage<T>> fallback) {
        return callStage(primary, Callable::call, (called, failure) -> fallback.call(), rules);
    }

    @Override
    public <T> CompletionStage<T> callStage(
            Callable<? extends CompletionStage<T>> primary, FallbackFunction<? extends CompletionStage<T>> fallback) {
        return callStage(primary, Callable::call, (called, failure) -> fallback.answer(failure.get()), rules);
    }

    @Override
    public <T> CompletionStage<T> callStage(Callable<? extends CompletionStage<T>> primary) {
        return callStage(primary, Callable::call, Fallback.none(), rules);
    }
}
