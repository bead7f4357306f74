package io.distributedfallback.cdi;

import io.distributedfallback.core.CircuitBreaker;
import io.distributedfallback.core.FailureRules;
import io.distributedfallback.core.Fallback;
import io.distributedfallback.core.FallbackOnly;
import jakarta.interceptor.InvocationContext;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletionStage;

/**
 * A guarded method: its breaker, its rules, and what answers instead.
 *
 * @param breaker empty if the configuration takes the breaker away and leaves the fallback
 * @param rules how its failures are judged
 * @param fallback what answers instead
 * @param returnsStage whether the outcome is that of a {@link CompletionStage}
 */
record GuardedMethod(
        Optional<CircuitBreaker> breaker, FailureRules rules, BoundFallback fallback, boolean returnsStage) {

    Object call(InvocationContext call) throws Exception {
        Fallback<Object> instead = failure -> fallback.answer(call, failure);
        if (!returnsStage) {
            return breaker.isPresent()
                    ? breaker.get().call(call::proceed, instead, rules)
                    : FallbackOnly.call(call::proceed, instead, rules);
        }
        Fallback<CompletionStage<Object>> stageInstead = failure -> cast(instead.answer(failure));
        return breaker.isPresent()
                ? breaker.get().callStage(stageOf(call), stageInstead, rules)
                : FallbackOnly.callStage(stageOf(call), stageInstead, rules);
    }

    private static Callable<CompletionStage<Object>> stageOf(InvocationContext call) {
        return () -> cast(call.proceed());
    }

    @SuppressWarnings("unchecked") // the method's return type is a stage
    private static CompletionStage<Object> cast(Object stage) {
        return (CompletionStage<Object>) stage;
    }
}
