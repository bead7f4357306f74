package io.distributedfallback.it.container.defect;

import io.distributedfallback.DistributedFallback;
import jakarta.enterprise.context.ApplicationScoped;

/** DFB102: the fallback takes something else. */
@ApplicationScoped
public class OtherParameters {

    @DistributedFallback(breaker = "games", fallbackMethod = "other")
    public String search(String query) {
        return query;
    }

    String other(int page) {
        return Integer.toString(page);
    }
}
