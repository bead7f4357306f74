package io.distributedfallback.it.container.defect;

import io.distributedfallback.DistributedFallback;
import jakarta.enterprise.context.ApplicationScoped;

/** DFB104: a final method. */
@ApplicationScoped
public class FinalMethod {

    @DistributedFallback(breaker = "games")
    public final String search(String query) {
        return query;
    }
}
