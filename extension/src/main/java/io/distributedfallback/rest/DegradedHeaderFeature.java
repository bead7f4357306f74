package io.distributedfallback.rest;

import jakarta.ws.rs.RuntimeType;
import jakarta.ws.rs.core.Feature;
import jakarta.ws.rs.core.FeatureContext;

/**
 * Has responses carry the header that {@code distributed-fallback.degraded-header} names: which breakers were answered for by
 * something else than their primary. Jakarta REST 3.1 finds it by itself (section 4.1.2), in each application; it may be
 * registered by hand as well. Does nothing for clients. Thread-safe.
 */
public final class DegradedHeaderFeature implements Feature {

    /** For Jakarta REST. */
    public DegradedHeaderFeature() {}

    @Override
    public boolean configure(FeatureContext context) {
        if (context.getConfiguration().getRuntimeType() != RuntimeType.SERVER) {
            return false;
        }
        context.register(new DegradedHeaderFilter());
        return true;
    }
}
