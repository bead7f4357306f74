package io.distributedfallback.core;

import java.time.Duration;

/**
 * Keeps one task handed over at a time. A request's end can be missed, and with it what waited for it: a task that has
 * not begun after 10 s is taken for lost, and may be handed over again.
 */
final class Pending {

    private static final long LOST_AFTER_NANOS = Duration.ofSeconds(10).toNanos();

    private boolean waiting;
    private long sinceNanos;

    /** Whether the caller is to hand the task over. */
    synchronized boolean claim(long now) {
        if (waiting && now - sinceNanos < LOST_AFTER_NANOS) {
            return false;
        }
        waiting = true;
        sinceNanos = now;
        return true;
    }

    /** The task has begun, or could not be handed over. */
    synchronized void release() {
        waiting = false;
    }
}
