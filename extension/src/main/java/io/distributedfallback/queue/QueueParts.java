package io.distributedfallback.queue;

import io.distributedfallback.core.Background;
import io.distributedfallback.core.MonotonicClock;
import java.time.Duration;
import java.util.Objects;

/**
 * What queues need of the world around them.
 *
 * @param store where calls wait
 * @param gate tells when they may be made
 * @param background threads
 * @param clock monotonic time
 * @param listener is told what happens
 * @param lease how long a taken call is an instance's own unless it is prolonged: after so long the calls of an instance
 *     that has died are made by others
 */
public record QueueParts(
        CallStore store,
        Gate gate,
        Background background,
        MonotonicClock clock,
        QueueListener listener,
        Duration lease) {

    public QueueParts {
        Objects.requireNonNull(store, "store");
        Objects.requireNonNull(gate, "gate");
        Objects.requireNonNull(background, "background");
        Objects.requireNonNull(clock, "clock");
        Objects.requireNonNull(listener, "listener");
        Objects.requireNonNull(lease, "lease");
    }
}
