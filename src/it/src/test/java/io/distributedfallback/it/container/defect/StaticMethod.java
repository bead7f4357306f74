package io.distributedfallback.it.container.defect;

import io.distributedfallback.DistributedFallback;
import jakarta.enterprise.context.ApplicationScoped;

/** DFB104: a static method. */
@ApplicationScoped
public class StaticMethod {

    @DistributedFallback(breaker = "games")
    public static String search(String query) {
        return query;
    }
}
