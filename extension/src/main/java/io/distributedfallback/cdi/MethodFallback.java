package io.distributedfallback.cdi;

import jakarta.interceptor.InvocationContext;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.util.Arrays;
import java.util.function.Supplier;

/** A method of the same bean that answers instead. */
final class MethodFallback implements BoundFallback {

    private final Method method;
    private final boolean takesFailure;

    MethodFallback(Method method, boolean takesFailure) {
        this.method = method;
        this.takesFailure = takesFailure;
    }

    @Override
    public Object answer(InvocationContext call, Supplier<? extends Throwable> failure) throws Throwable {
        Object[] arguments = call.getParameters();
        if (takesFailure) {
            Throwable why = failure.get();
            int last = arguments.length;
            if (!method.getParameterTypes()[last].isInstance(why)) {
                throw why;
            }
            arguments = Arrays.copyOf(arguments, last + 1, Object[].class);
            arguments[last] = why;
        }
        try {
            return method.invoke(call.getTarget(), arguments);
        } catch (InvocationTargetException e) {
            throw e.getCause();
        }
    }
}
