package io.distributedfallback.queue;

import java.time.Instant;
import java.util.Objects;
import java.util.Optional;

/**
 * How many calls a queue holds.
 *
 * @param queue which
 * @param pending those that are to be made
 * @param dead those that are given up
 * @param oldest when the oldest of those pending was stored
 */
public record QueueCounts(QueueName queue, long pending, long dead, Optional<Instant> oldest) {

    public QueueCounts {
        Objects.requireNonNull(queue, "queue");
        Objects.requireNonNull(oldest, "oldest");
    }
}
