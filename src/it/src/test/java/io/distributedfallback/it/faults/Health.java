package io.distributedfallback.it.faults;

import io.distributedfallback.it.harness.Eventually;
import java.sql.SQLException;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.locks.LockSupport;

/** Whether all is well with a cluster. */
record Health(Archive archive, List<Instance> places) {

    private static final Duration LONGEST_PAUSE = Duration.ofSeconds(30);
    private static final Duration HAND_OVER = Duration.ofMillis(300);

    /** Whether all have read the database. */
    boolean isKnown() {
        return places.stream().allMatch(Instance::knowsDatabase);
    }

    /**
     * Waits until the breaker is closed and every instance lets visitors go to the provider; and then until every instance
     * has the store: one that stood still may have taken it for lost on waking, and leaves it alone for a while.
     */
    void await(Duration limit) {
        long well = System.nanoTime();
        Eventually.until("the breaker has closed for all", limit, () -> isWell(well));
        Eventually.until("all instances have the store", LONGEST_PAUSE.plus(limit), () -> {
            boolean isFirst = isWell(well) && places.stream().allMatch(Instance::hasDatabase);
            // Whoever has just come back to the store may have something to hand over.
            LockSupport.parkNanos(HAND_OVER.toNanos());
            return isFirst && isWell(well);
        });
    }

    private boolean isWell(long since) throws SQLException {
        return archive.stateOfCatalogue().equals("CLOSED")
                && places.stream().allMatch(instance -> instance.isAtProvider(since));
    }
}
