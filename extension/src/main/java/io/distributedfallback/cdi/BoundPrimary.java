package io.distributedfallback.cdi;

import io.distributedfallback.core.Primary;
import jakarta.interceptor.InvocationContext;

/** The guarded method itself. */
@FunctionalInterface
interface BoundPrimary extends Primary<InvocationContext, Object> {

    /** As it is. */
    BoundPrimary PLAIN = InvocationContext::proceed;
}
