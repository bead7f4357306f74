package io.distributedfallback.it.container.defect;

import io.distributedfallback.DistributedFallback;
import jakarta.enterprise.context.ApplicationScoped;

/** DFB114: the backup has nothing in common with it. */
@ApplicationScoped
@DistributedFallback(breaker = "games", backup = TextHandler.class)
public class BackupOther implements Shelf {

    @Override
    public String search(String query) {
        return query;
    }
}
