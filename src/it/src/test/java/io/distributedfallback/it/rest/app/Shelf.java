package io.distributedfallback.it.rest.app;

import io.distributedfallback.DistributedFallback;
import io.distributedfallback.FallbackLimit;
import jakarta.enterprise.context.ApplicationScoped;

/** Two guarded methods, one with a fallback that gets one call a second. */
@ApplicationScoped
public class Shelf {

    @DistributedFallback(breaker = "limited", fallbackMethod = "instead")
    @FallbackLimit(1)
    public String limited() {
        return "primary";
    }

    @DistributedFallback(breaker = "bare")
    public String bare() {
        return "primary";
    }

    String instead() {
        return "fallback";
    }
}
