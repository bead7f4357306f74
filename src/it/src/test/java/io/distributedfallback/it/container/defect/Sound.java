package io.distributedfallback.it.container.defect;

import io.distributedfallback.DistributedFallback;
import jakarta.enterprise.context.ApplicationScoped;

/** Nothing is wrong with it. */
@ApplicationScoped
public class Sound {

    @DistributedFallback(breaker = "games")
    public String search(String query) {
        return query;
    }
}
