package io.distributedfallback.queue;

import java.time.Duration;
import java.util.Objects;
import java.util.Optional;

/**
 * A call that is to be stored.
 *
 * @param queue whose it is
 * @param key calls with the same one are made in order; empty if no order is promised
 * @param arguments as JSON
 * @param delay before which it is not made
 */
public record NewCall(QueueName queue, Optional<String> key, String arguments, Duration delay) {

    public NewCall {
        Objects.requireNonNull(queue, "queue");
        Objects.requireNonNull(key, "key");
        Objects.requireNonNull(arguments, "arguments");
        Objects.requireNonNull(delay, "delay");
    }
}
