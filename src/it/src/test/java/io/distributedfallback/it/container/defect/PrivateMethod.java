package io.distributedfallback.it.container.defect;

import io.distributedfallback.DistributedFallback;
import jakarta.enterprise.context.ApplicationScoped;

/** DFB104: a private method. */
@ApplicationScoped
public class PrivateMethod {

    public String search(String query) {
        return guarded(query);
    }

    @DistributedFallback(breaker = "games")
    private String guarded(String query) {
        return query;
    }
}
