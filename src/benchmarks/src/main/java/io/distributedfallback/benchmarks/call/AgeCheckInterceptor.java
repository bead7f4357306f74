package io.distributedfallback.benchmarks.call;

import jakarta.annotation.Priority;
import jakarta.interceptor.AroundInvoke;
import jakarta.interceptor.Interceptor;
import jakarta.interceptor.InvocationContext;
import java.util.concurrent.TimeUnit;

/** Looks at the clock and does nothing else: the floor for whoever must know that what it goes by is not too old. */
@Interceptor
@PassThrough
@Priority(100)
public class AgeCheckInterceptor {

    private static final long FRESH = TimeUnit.HOURS.toNanos(1);

    private volatile long readNanos = System.nanoTime();

    /** Goes on. */
    @AroundInvoke
    public Object pass(InvocationContext call) throws Exception {
        if (System.nanoTime() - readNanos > FRESH) {
            readNanos = System.nanoTime();
        }
        return call.proceed();
    }
}
