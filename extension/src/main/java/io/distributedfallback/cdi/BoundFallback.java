package io.distributedfallback.cdi;

import io.distributedfallback.core.Fallback;
import jakarta.interceptor.InvocationContext;
import java.util.function.Supplier;

/** What answers instead of a guarded method. */
@FunctionalInterface
interface BoundFallback extends Fallback<InvocationContext, Object> {

    /** No fallback: the failure is the outcome. */
    BoundFallback NONE = (call, failure) -> {
        throw failure.get();
    };

    /**
     * Answers.
     *
     * @param call the call that is not answered by the method itself
     * @param failure why; built when it is asked for
     */
    @Override
    Object answer(InvocationContext call, Supplier<? extends Throwable> failure) throws Throwable;
}
