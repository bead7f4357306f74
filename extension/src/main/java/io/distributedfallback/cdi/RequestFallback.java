package io.distributedfallback.cdi;

import jakarta.enterprise.context.control.RequestContextController;
import jakarta.enterprise.inject.spi.BeanManager;
import jakarta.interceptor.InvocationContext;
import java.util.function.Supplier;

/**
 * Has a fallback answer within a request context, also on a thread that serves no request, as MicroProfile Fault
 * Tolerance has it for asynchronous methods: the one that is active there, else one of its own that ends when the
 * fallback returns.
 */
record RequestFallback(BoundFallback fallback, BeanManager beans) implements BoundFallback {

    @Override
    public boolean isNone() {
        return fallback.isNone();
    }

    @Override
    public boolean isNone(InvocationContext call) {
        return fallback.isNone(call);
    }

    @Override
    public Object answer(InvocationContext call, Supplier<? extends Throwable> failure) throws Throwable {
        RequestContextController request =
                beans.createInstance().select(RequestContextController.class).get();
        boolean activated = request.activate();
        try {
            return fallback.answer(call, failure);
        } finally {
            if (activated) {
                request.deactivate();
            }
        }
    }
}
