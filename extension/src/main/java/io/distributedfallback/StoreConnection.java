package io.distributedfallback;

import java.time.Duration;
import java.time.Instant;
import java.util.Objects;

/**
 * This instance has lost the database that holds the breakers, or has found it again. Until then it keeps its breakers in
 * memory, and breaks on what it sees itself. Fired as a CDI event, synchronously and asynchronously, by each instance once
 * for a loss and once for the return, in that order, on a managed thread that no caller waits for: what an observer throws
 * is logged. If no thread can be had, which may be why the database is lost, it is fired with the next one. Immutable.
 *
 * @param up false for a loss, true for the return
 * @param at when it was noticed, by the clock of this instance
 * @param reason why it was lost: one line that begins with the code of the message, with secrets masked; of a return, the
 *     reason of the loss that it ends
 * @param away how long the database was away for this instance; zero for a loss
 * @param failures how many failures of calls, seen meanwhile and not older than {@code snapshot.max-age}, this instance
 *     now offers to the database, which adds them unless the breaker is open, or has closed since; 0 for a loss
 */
public record StoreConnection(boolean up, Instant at, String reason, Duration away, int failures) {

    /** Checks that all is there. */
    public StoreConnection {
        Objects.requireNonNull(at, "at");
        Objects.requireNonNull(reason, "reason");
        Objects.requireNonNull(away, "away");
    }
}
