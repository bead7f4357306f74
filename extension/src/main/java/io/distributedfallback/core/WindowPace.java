package io.distributedfallback.core;

/**
 * When successes set out that are wanted for a window alone: a few times in a window are enough, because they only dilute,
 * and come from every instance. Not thread-safe.
 */
final class WindowPace {

    private final long maxAgeNanos;
    private long dueNanos;

    /** @param maxAgeNanos they are dropped when they are older */
    WindowPace(long maxAgeNanos, long now) {
        this.maxAgeNanos = maxAgeNanos;
        this.dueNanos = now;
    }

    boolean isDue(long now) {
        return now - dueNanos >= 0;
    }

    void setOut(Policy policy, long now) {
        dueNanos = now + Math.min(policy.window().toNanos() / 10, maxAgeNanos / 2);
    }
}
