package io.distributedfallback.it.container.defect;

import io.distributedfallback.DistributedFallback;
import jakarta.enterprise.context.ApplicationScoped;

/** DFB101. */
@ApplicationScoped
public class BothMembers {

    @DistributedFallback(breaker = "games", value = TextHandler.class, fallbackMethod = "other")
    public String search(String query) {
        return query;
    }

    String other(String query) {
        return query;
    }
}
