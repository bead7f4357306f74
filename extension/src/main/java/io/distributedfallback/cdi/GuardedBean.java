package io.distributedfallback.cdi;

import jakarta.interceptor.InvocationContext;
import java.lang.reflect.Method;
import java.util.Map;

/** The guarded methods of one bean class. */
final class GuardedBean {

    /** Of a class of which no method is guarded. */
    static final GuardedBean UNGUARDED = new GuardedBean(Map.of());

    private final Map<Method, GuardedMethod> methods;

    GuardedBean(Map<Method, GuardedMethod> methods) {
        this.methods = Map.copyOf(methods);
    }

    Object call(InvocationContext call) throws Exception {
        GuardedMethod method = methods.get(call.getMethod());
        return method == null ? call.proceed() : method.call(call);
    }
}
