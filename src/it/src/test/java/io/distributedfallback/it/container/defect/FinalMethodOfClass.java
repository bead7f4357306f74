package io.distributedfallback.it.container.defect;

import io.distributedfallback.DistributedFallback;
import jakarta.enterprise.context.Dependent;

/** DFB104: the annotation on the class meets a final method. */
@Dependent
@DistributedFallback(breaker = "games")
public class FinalMethodOfClass {

    public final String search(String query) {
        return query;
    }
}
