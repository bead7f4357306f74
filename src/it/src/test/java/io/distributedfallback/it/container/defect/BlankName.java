package io.distributedfallback.it.container.defect;

import io.distributedfallback.DistributedFallback;
import jakarta.enterprise.context.ApplicationScoped;

/** DFB110. */
@ApplicationScoped
public class BlankName {

    @DistributedFallback(breaker = " ")
    public String search(String query) {
        return query;
    }
}
