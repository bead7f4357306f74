package io.distributedfallback.it.container.defect;

import io.distributedfallback.DistributedFallback;
import jakarta.enterprise.context.Dependent;

/** DFB104: nothing of a final class can be intercepted. */
@Dependent
public final class FinalClass {

    @DistributedFallback(breaker = "games")
    public String search(String query) {
        return query;
    }
}
