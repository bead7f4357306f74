package io.distributedfallback.core;

import java.time.Duration;
import java.time.Instant;

/** How a {@link MemoryBreakerStore} reads a deadline, which is null if not set. */
final class MemoryDeadline {

    private MemoryDeadline() {}

    static boolean hasCome(Instant deadline, Instant now) {
        return deadline == null || !deadline.isAfter(now);
    }

    static Duration left(Instant deadline, Instant now) {
        return hasCome(deadline, now) ? Duration.ZERO : Duration.between(now, deadline);
    }

    /** The deadline, or now if that is later. */
    static Instant notBefore(Instant now, Instant deadline) {
        return hasCome(deadline, now) ? now : deadline;
    }

    static Instant endOf(Duration left, Instant now) {
        return left.isZero() ? null : now.plus(left);
    }
}
