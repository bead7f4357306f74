package io.distributedfallback.it.container.defect;

import io.distributedfallback.BreakerPolicy;
import io.distributedfallback.DistributedFallback;
import jakarta.enterprise.context.ApplicationScoped;

/** DFB109. */
@ApplicationScoped
@BreakerPolicy(breaker = "games", failureThreshold = 2)
@BreakerPolicy(breaker = "games", failureThreshold = 5)
public class TwoPolicies {

    @DistributedFallback(breaker = "games")
    public String search(String query) {
        return query;
    }
}
