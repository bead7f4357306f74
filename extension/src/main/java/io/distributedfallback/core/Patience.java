package io.distributedfallback.core;

import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/**
 * How long somebody waits for what another thread does. If this instance has stood still meanwhile (a container that was
 * paused, a processor taken away between two requests) the other thread has had no time either. So a wait that took at least
 * twice as long as it should have is begun anew, once.
 */
final class Patience {

    private Patience() {}

    /**
     * Waits.
     *
     * @param longest for how long, if the instance runs
     * @throws TimeoutException if that was in vain
     */
    static <T> T await(CompletableFuture<T> awaited, Duration longest, MonotonicClock clock)
            throws TimeoutException, InterruptedException, ExecutionException {
        long begun = clock.nanos();
        try {
            return awaited.get(longest.toNanos(), TimeUnit.NANOSECONDS);
        } catch (TimeoutException e) {
            if (stoodStill(clock.nanos() - begun, longest)) {
                return awaited.get(longest.toNanos(), TimeUnit.NANOSECONDS);
            }
            throw e;
        }
    }

    /** Whether a wait that should have ended long ago says that nobody was there to end it. */
    static boolean stoodStill(long waitedNanos, Duration longest) {
        return waitedNanos >= 2 * longest.toNanos();
    }
}
