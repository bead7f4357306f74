package io.distributedfallback.it.container.defect;

import io.distributedfallback.DistributedFallback;
import io.distributedfallback.Probe;
import jakarta.enterprise.context.ApplicationScoped;

/** DFB108. */
@ApplicationScoped
public class TwoProbes {

    @DistributedFallback(breaker = "games")
    public String search(String query) {
        return query;
    }

    @Probe("games")
    void ask() {}

    @Probe("games")
    void askAgain() {}
}
