package io.distributedfallback.cdi;

import io.distributedfallback.DistributedFallback;
import jakarta.annotation.Priority;
import jakarta.inject.Inject;
import jakarta.interceptor.AroundInvoke;
import jakarta.interceptor.Interceptor;
import jakarta.interceptor.InvocationContext;
import java.io.Serializable;

/**
 * Leads a call of a guarded method to its breaker. At 100 it stands outside {@code @Transactional} (200) and outside
 * MicroProfile Fault Tolerance (4010): what they do belongs to the primary, and is over when the fallback runs.
 */
@Interceptor
@DistributedFallback
@Priority(100)
public class DistributedFallbackInterceptor implements Serializable {

    private static final long serialVersionUID = 1L;

    @Inject
    private DistributedFallbackExtension extension;

    /** Of the one bean that this interceptor serves; looked up again after passivation. */
    private transient GuardedBean bean;

    /** Makes the guarded call. */
    @AroundInvoke
    public Object guard(InvocationContext call) throws Exception {
        GuardedBean guarded = bean;
        if (guarded == null) {
            guarded = extension.guardsOf(call.getTarget().getClass());
            bean = guarded;
        }
        return guarded.call(call);
    }
}
