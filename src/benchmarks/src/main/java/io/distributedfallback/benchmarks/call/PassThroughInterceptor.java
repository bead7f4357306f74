package io.distributedfallback.benchmarks.call;

import jakarta.annotation.Priority;
import jakarta.interceptor.AroundInvoke;
import jakarta.interceptor.Interceptor;
import jakarta.interceptor.InvocationContext;

/** Does nothing: the floor for whatever is done by an interceptor. */
@Interceptor
@PassThrough
@Priority(100)
public class PassThroughInterceptor {

    /** Goes on. */
    @AroundInvoke
    public Object pass(InvocationContext call) throws Exception {
        return call.proceed();
    }
}
