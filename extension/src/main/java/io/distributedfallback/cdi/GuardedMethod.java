package io.distributedfallback.cdi;

import io.distributedfallback.core.FailureRules;
import io.distributedfallback.core.Fallback;
import io.distributedfallback.core.Guard;
import io.distributedfallback.core.Primary;
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
                        GuardedMethod.<CompletionStage<Object>>returning(primary),
                        GuardedMethod.<CompletionStage<Object>>returning(fallback),
                        rules);
            case FUTURE ->
                guard.callFuture(
                        call,
                        GuardedMethod.<Future<Object>>returning(primary),
                        GuardedMethod.<Future<Object>>returning(fallback),
                        rules);
        };
    }

    @SuppressWarnings("unchecked") // the method's return type says so
    private static <T> Primary<InvocationContext, T> returning(BoundPrimary primary) {
        return (Primary<InvocationContext, T>) (Primary<InvocationContext, ?>) primary;
    }

    @SuppressWarnings("unchecked") // that of the method, and what answers instead of it has been checked to fit
    static <T> Fallback<InvocationContext, T> returning(BoundFallback fallback) {
        return (Fallback<InvocationContext, T>) (Fallback<InvocationContext, ?>) fallback;
    }
}
