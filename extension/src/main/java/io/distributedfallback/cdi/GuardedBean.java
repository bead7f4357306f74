package io.distributedfallback.cdi;

import jakarta.interceptor.InvocationContext;
import java.lang.reflect.Method;

/** The guarded methods of one bean class. */
@FunctionalInterface
interface GuardedBean {

    /** What guards a method, or null: a call goes through here each time. */
    GuardedMethod guardOf(Method method, InvocationContext call);

    default Object call(InvocationContext call) throws Exception {
        GuardedMethod method = guardOf(call.getMethod(), call);
        return method == null ? call.proceed() : method.call(call);
    }
}
