package io.distributedfallback.core;

import java.util.concurrent.CompletableFuture;

/** A read that is under way. */
final class Flight {

    final long askedNanos;
    final boolean first;
    final CompletableFuture<Void> landed = new CompletableFuture<>();
    volatile boolean waitedInVain;

    /**
     * It begins.
     *
     * @param first whether nothing has been read before
     */
    Flight(long askedNanos, boolean first) {
        this.askedNanos = askedNanos;
        this.first = first;
    }
}
