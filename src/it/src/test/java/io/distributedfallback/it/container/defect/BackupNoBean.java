package io.distributedfallback.it.container.defect;

import io.distributedfallback.DistributedFallback;
import jakarta.enterprise.context.ApplicationScoped;

/** DFB112: the backup is an interface that no other bean has. */
@ApplicationScoped
@DistributedFallback(breaker = "games", backup = Runnable.class)
public class BackupNoBean implements Shelf {

    @Override
    public String search(String query) {
        return query;
    }
}
