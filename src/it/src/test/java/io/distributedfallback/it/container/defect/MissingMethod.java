package io.distributedfallback.it.container.defect;

import io.distributedfallback.DistributedFallback;
import jakarta.enterprise.context.ApplicationScoped;

/** DFB102: there is no such method. */
@ApplicationScoped
public class MissingMethod {

    @DistributedFallback(breaker = "games", fallbackMethod = "nowhere")
    public String search(String query) {
        return query;
    }
}
