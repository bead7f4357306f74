package io.distributedfallback.it.container.defect;

import io.distributedfallback.DistributedFallback;
import jakarta.enterprise.context.ApplicationScoped;

/** DFB111. */
@ApplicationScoped
public class NoHandlerToHave {

    @DistributedFallback(breaker = "games", value = AbstractHandler.class)
    public String search(String query) {
        return query;
    }
}
