package io.distributedfallback.cdi;

import io.distributedfallback.core.Fallback;
import io.distributedfallback.core.Origin;
import jakarta.interceptor.InvocationContext;
import java.util.function.Supplier;

/** What answers instead of a guarded method. */
@FunctionalInterface
interface BoundFallback extends Fallback<InvocationContext, Object> {

    /** Where a rung that answers by itself leaves word of that with the call. */
    String ORIGIN = Origin.class.getName();

    /** No fallback: the failure is the outcome. */
    BoundFallback NONE = new BoundFallback() {
        @Override
        public Object answer(InvocationContext call, Supplier<? extends Throwable> failure) throws Throwable {
            throw failure.get();
        }

        @Override
        public boolean isNone() {
            return true;
        }
    };

    /**
     * Answers.
     *
     * @param call the call that is not answered by the method itself
     * @param failure why; built when it is asked for
     */
    @Override
    Object answer(InvocationContext call, Supplier<? extends Throwable> failure) throws Throwable;

    /** Of the rung that has left word, else the fallback. */
    @Override
    default Origin originOf(InvocationContext call) {
        return call.getContextData().remove(ORIGIN) instanceof Origin rung ? rung : Origin.FALLBACK;
    }
}
