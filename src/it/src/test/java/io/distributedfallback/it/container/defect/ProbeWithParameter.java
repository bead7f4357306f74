package io.distributedfallback.it.container.defect;

import io.distributedfallback.DistributedFallback;
import io.distributedfallback.Probe;
import jakarta.enterprise.context.ApplicationScoped;

/** DFB106. */
@ApplicationScoped
public class ProbeWithParameter {

    @DistributedFallback(breaker = "games")
    public String search(String query) {
        return query;
    }

    @Probe("games")
    void ask(int limit) {
        search("one of " + limit);
    }
}
