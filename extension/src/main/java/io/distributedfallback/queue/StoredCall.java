package io.distributedfallback.queue;

import java.time.Instant;
import java.util.Objects;
import java.util.Optional;

/**
 * A stored call, as an operator may see it: without its arguments, which are the business of the application's users.
 *
 * @param id its number
 * @param queue whose it is
 * @param key of its order, if it has one
 * @param dead whether it is given up
 * @param leased whether an instance is making it
 * @param attempts how many attempts have begun that count
 * @param storedAt when it was stored, or retried last
 * @param storedBy the instance that stored it
 * @param dueAt when it may be made next; empty if it is dead
 * @param lastError what went wrong last, if anything did
 * @param argumentBytes how long its arguments are
 */
public record StoredCall(
        long id,
        QueueName queue,
        Optional<String> key,
        boolean dead,
        boolean leased,
        int attempts,
        Instant storedAt,
        String storedBy,
        Optional<Instant> dueAt,
        Optional<String> lastError,
        int argumentBytes) {

    public StoredCall {
        Objects.requireNonNull(queue, "queue");
        Objects.requireNonNull(key, "key");
        Objects.requireNonNull(storedAt, "storedAt");
        Objects.requireNonNull(storedBy, "storedBy");
        Objects.requireNonNull(dueAt, "dueAt");
        Objects.requireNonNull(lastError, "lastError");
    }
}
