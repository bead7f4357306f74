package io.distributedfallback.it.faults;

import io.distributedfallback.it.harness.Eventually;
import java.sql.SQLException;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.locks.LockSupport;

/** Whether all is well with a cluster. */
record Health(Archive archive, List<Instance> places) {

    private static final Duration HAND_OVER = Duration.ofMillis(300);

    /** Whether all have read the database. */
    boolean isKnown() {
        return places.stream().allMatch(Instance::knowsDatabase);
    }

    /** Waits until the breaker is closed, and every instance has the store and lets visitors go to the provider. */
    void await(Duration limit) {
        long well = System.nanoTime();
        Eventually.until("the breaker has closed for all", limit, () -> {
            boolean isFirst = isWell(well);
            // Whoever has just come back to the store may have something to hand over.
            LockSupport.parkNanos(HAND_OVER.toNanos());
            return isFirst && isWell(well);
        });
    }

    private boolean isWell(long since) throws SQLException {
        return archive.stateOfCatalogue().equals("CLOSED")
                && places.stream().allMatch(instance -> instance.isAtProvider(since) && instance.hasDatabase());
    }
}
