package io.distributedfallback.it.container.defect;

import io.distributedfallback.DistributedFallback;
import jakarta.enterprise.context.ApplicationScoped;

/** DFB113. */
@ApplicationScoped
@DistributedFallback(breaker = "games", backup = BackupItself.class)
public class BackupItself implements Shelf {

    @Override
    public String search(String query) {
        return query;
    }
}
