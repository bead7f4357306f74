package io.distributedfallback.cdi;

import jakarta.enterprise.context.Dependent;
import jakarta.enterprise.inject.Instance;
import jakarta.enterprise.inject.spi.BeanManager;
import jakarta.enterprise.inject.spi.Unmanaged;
import jakarta.interceptor.InvocationContext;
import java.lang.reflect.Method;
import java.util.function.Supplier;
import org.eclipse.microprofile.faulttolerance.ExecutionContext;
import org.eclipse.microprofile.faulttolerance.FallbackHandler;

/**
 * A handler that answers instead: a CDI bean in its scope if it is one, else an instance that is created, injected and
 * destroyed for the call.
 */
final class HandlerFallback implements BoundFallback {

    private final Class<? extends FallbackHandler<?>> type;
    private final BeanManager beans;

    HandlerFallback(Class<? extends FallbackHandler<?>> type, BeanManager beans) {
        this.type = type;
        this.beans = beans;
    }

    @Override
    public Object answer(InvocationContext call, Supplier<? extends Throwable> failure) throws Throwable {
        ExecutionContext context = new RejectedCall(call, failure);
        Instance<? extends FallbackHandler<?>> bean = beans.createInstance().select(type);
        if (bean.isResolvable()) {
            Instance.Handle<? extends FallbackHandler<?>> handle = bean.getHandle();
            try {
                return handle.get().handle(context);
            } finally {
                if (handle.getBean().getScope() == Dependent.class) {
                    handle.destroy();
                }
            }
        }
        return create(context);
    }

    private Object create(ExecutionContext context) {
        Unmanaged.UnmanagedInstance<? extends FallbackHandler<?>> created = new Unmanaged<>(beans, type).newInstance();
        created.produce().inject().postConstruct();
        try {
            return created.get().handle(context);
        } finally {
            created.preDestroy().dispose();
        }
    }

    private record RejectedCall(InvocationContext call, Supplier<? extends Throwable> failure)
            implements ExecutionContext {

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
