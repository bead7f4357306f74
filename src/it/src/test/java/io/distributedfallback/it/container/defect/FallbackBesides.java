package io.distributedfallback.it.container.defect;

import io.distributedfallback.DistributedFallback;
import jakarta.enterprise.context.ApplicationScoped;
import org.eclipse.microprofile.faulttolerance.Fallback;

/** DFB105. */
@ApplicationScoped
public class FallbackBesides {

    @DistributedFallback(breaker = "games", fallbackMethod = "other")
    @Fallback(fallbackMethod = "other")
    public String search(String query) {
        return query;
    }

    String other(String query) {
        return query;
    }
}
