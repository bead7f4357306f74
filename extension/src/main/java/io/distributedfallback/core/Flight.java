package io.distributedfallback.core;

import java.time.Duration;
import java.util.concurrent.CompletableFuture;

/** A read that is under way. */
final class Flight {

    final long askedNanos;
    final boolean first;
    final CompletableFuture<Void> landed = new CompletableFuture<>();
    volatile boolean waitedInVain;

    /** From when its time counts. Guarded by the copy. */
    private long sinceNanos;

    /**
     * It begins.
     *
     * @param first whether nothing has been read before
     */
    Flight(long askedNanos, boolean first) {
        this.askedNanos = askedNanos;
        this.first = first;
        this.sinceNanos = askedNanos;
    }

    /**
     * Finds out whether it has taken too long. If nobody has done so for much longer than that, this instance may have stood
     * still: then it gets its time once more, once.
     */
    boolean checkOverdue(Duration limit, long now) {
        long waited = now - sinceNanos;
        if (sinceNanos == askedNanos && Patience.stoodStill(waited, limit)) {
            sinceNanos = now;
            return false;
        }
        return waited > limit.toNanos();
    }
}
