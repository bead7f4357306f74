package io.distributedfallback.it.container.defect;

import io.distributedfallback.DistributedFallback;
import jakarta.enterprise.context.ApplicationScoped;

/** DFB103: the handler answers with a text. */
@ApplicationScoped
public class OtherHandler {

    @DistributedFallback(breaker = "games", value = TextHandler.class)
    public Integer count(String query) {
        return query.length();
    }
}
