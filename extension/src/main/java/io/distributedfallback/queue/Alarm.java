package io.distributedfallback.queue;

import io.distributedfallback.core.Background;
import io.distributedfallback.core.StoreException;
import java.time.Duration;
import java.util.concurrent.RejectedExecutionException;

/** Rings at the earliest of the times for which it is set, on a managed thread. Thread-safe. */
final class Alarm {

    private final QueueParts parts;
    private final Runnable task;

    /** Guarded by this. */
    private long atNanos;

    /** Guarded by this. */
    private boolean isSet;

    /** Guarded by this. */
    private boolean missed;

    /** @param task what it does when it rings */
    Alarm(QueueParts parts, Runnable task) {
        this.parts = parts;
        this.task = task;
    }

    /** It rings then at the latest; an earlier time that is set already stays. */
    void ringIn(Duration delay) {
        long at;
        synchronized (this) {
            at = parts.clock().nanos() + delay.toNanos();
            if (isSet && atNanos - at <= 0) {
                return;
            }
            isSet = true;
            atNanos = at;
        }
        try {
            Background.Task unused = parts.background().schedule(delay, () -> ring(at));
        } catch (RejectedExecutionException e) {
            synchronized (this) {
                isSet = false;
                missed = true;
            }
            parts.listener().trouble(StoreException.noThread(e));
        }
    }

    /** Whether there was no thread for it, so that it will not ring. Told once. */
    synchronized boolean wasMissed() {
        boolean was = missed;
        missed = false;
        return was;
    }

    /**
     * A timer that another, earlier one has made needless rings for nothing, for there is no safe way to stop it. By the
     * clock of the server it may ring a little early.
     */
    private void ring(long at) {
        synchronized (this) {
            if (!isSet || atNanos - at > 0) {
                return;
            }
            isSet = false;
        }
        task.run();
    }
}
