package io.distributedfallback.it.container.defect;

import io.distributedfallback.DistributedFallback;
import jakarta.enterprise.context.ApplicationScoped;

/** DFB112: two other beans are shelves. */
@ApplicationScoped
@DistributedFallback(breaker = "games", backup = Shelf.class)
public class BackupAmbiguous implements Shelf {

    @Override
    public String search(String query) {
        return query;
    }
}
