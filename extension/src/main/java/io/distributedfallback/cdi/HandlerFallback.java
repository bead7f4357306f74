package io.distributedfallback.cdi;

import jakarta.interceptor.InvocationContext;
import java.lang.reflect.Method;
import java.util.function.Supplier;
import org.eclipse.microprofile.faulttolerance.ExecutionContext;
import org.eclipse.microprofile.faulttolerance.FallbackHandler;

/** A handler that answers instead. */
record HandlerFallback(Source handlers) implements BoundFallback {

    /** Where a handler comes from. */
    @FunctionalInterface
    interface Source {
        /** Has a handler for a call, and lets go of it after that. */
        Object answer(AnsweringBean.Use use) throws Throwable;
    }

    @Override
    public Object answer(InvocationContext call, Supplier<? extends Throwable> failure) throws Throwable {
        ExecutionContext context = new RejectedCall(call, failure);
        return handlers.answer(handler -> ((FallbackHandler<?>) handler).handle(context));
    }

    /** What a handler is told of the call. */
    record RejectedCall(InvocationContext call, Supplier<? extends Throwable> failure) implements ExecutionContext {

        @Override
        public Method getMethod() {
            return call.getMethod();
        }

        @Override
        public Object[] getParameters() {
            return call.getParameters();
        }

        @Override
        public Throwable getFailure() {
            return failure.get();
        }
    }
}
