package io.distributedfallback.it.container.defect;

import io.distributedfallback.DistributedFallback;
import jakarta.enterprise.context.ApplicationScoped;

/** DFB102: the fallback returns something else. */
@ApplicationScoped
public class OtherReturnType {

    @DistributedFallback(breaker = "games", fallbackMethod = "other")
    public String search(String query) {
        return query;
    }

    int other(String query) {
        return query.length();
    }
}
