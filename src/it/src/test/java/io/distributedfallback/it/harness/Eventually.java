package io.distributedfallback.it.harness;

import java.time.Duration;
import java.util.concurrent.locks.LockSupport;

/** Waiting for something to become true, with a deadline. The tests know no other way to wait. */
public final class Eventually {

    private static final Duration POLL = Duration.ofMillis(50);

    private Eventually() {}

    /** Something that holds or throws. */
    @FunctionalInterface
    public interface Claim {
        void check() throws Exception;
    }

    /** Something that is true or false. */
    @FunctionalInterface
    public interface Condition {
        boolean holds() throws Exception;
    }

    /** Checks a claim until it holds; after the deadline its last failure is the test's. */
    public static void eventually(Duration deadline, Claim claim) {
        long end = System.nanoTime() + deadline.toNanos();
        while (true) {
            try {
                claim.check();
                return;
            } catch (AssertionError | Exception failure) {
                if (System.nanoTime() - end >= 0) {
                    throw new AssertionError("not within " + deadline + ": " + failure.getMessage(), failure);
                }
            }
            LockSupport.parkNanos(POLL.toNanos());
        }
    }

    /** Asks until the answer is yes. */
    public static void until(String what, Duration deadline, Condition condition) {
        eventually(deadline, () -> {
            if (!condition.holds()) {
                throw new AssertionError(what);
            }
        });
    }
}
