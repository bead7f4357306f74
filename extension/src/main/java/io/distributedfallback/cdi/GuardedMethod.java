package io.distributedfallback.cdi;

import io.distributedfallback.core.FailureRules;
import io.distributedfallback.core.Guard;
import jakarta.interceptor.InvocationContext;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Future;

/**
 * A guarded method: what stands before it, its rules, and what answers instead.
 *
 * @param guard its breaker, or what is left if the configuration takes the breaker away
 * @param keyed chooses another by an argument; null if none is a key, and then a call does not pay for it
 * @param rules how its failures are judged
 * @param primary the method itself
 * @param fallback what answers instead
 * @param end when its outcome is known
 */
record GuardedMethod(
        Guard guard, KeyedGuard keyed, FailureRules rules, BoundPrimary primary, BoundFallback fallback, End end) {

    /** When the outcome of a method is known. */
    enum End {
        /** When it returns. */
        RETURN,
        /** When the {@link CompletionStage} that it returns completes. */
        STAGE,
        /** When the {@link Future} that it returns is asked. */
        FUTURE;

        /** By the type returned. One that a {@link CompletableFuture} cannot stand in for is not looked into. */
        static End of(Class<?> type) {
            if (CompletionStage.class.isAssignableFrom(type) && type.isAssignableFrom(CompletableFuture.class)) {
                return STAGE;
            }
            return type == Future.class ? FUTURE : RETURN;
        }
    }

    Object call(InvocationContext call) throws Exception {
        Guard guard = keyed == null ? this.guard : keyed.of(call);
        return switch (end) {
            case RETURN -> guard.call(call, primary, fallback, rules);
            case STAGE ->
                guard.callStage(
                        call,
                        context -> stage(primary.answer(context)),
                        (context, failure) -> stage(fallback.answer(context, failure)),
                        rules);
            case FUTURE ->
                guard.callFuture(
                        call,
                        context -> future(primary.answer(context)),
                        (context, failure) -> future(fallback.answer(context, failure)),
                        rules);
        };
    }

    @SuppressWarnings("unchecked") // the method's return type is a stage
    static CompletionStage<Object> stage(Object answer) {
        return (CompletionStage<Object>) answer;
    }

    @SuppressWarnings("unchecked") // the method's return type is a future
    static Future<Object> future(Object answer) {
        return (Future<Object>) answer;
    }
}
