package io.distributedfallback.queue;

import java.time.Duration;
import java.util.Objects;

/**
 * How stored calls of one method are made.
 *
 * @param maxAttempts after so many failed attempts a call is dead; 1 or more
 * @param backoff the pause after the first failed attempt; doubles with each further one
 * @param maxBackoff the longest pause
 * @param maxAge a call that was stored longer ago is dead
 * @param rate the most calls a second, of all instances together; 1 or more
 */
public record QueueRules(int maxAttempts, Duration backoff, Duration maxBackoff, Duration maxAge, int rate) {

    /** The defaults of the annotation. */
    public static final QueueRules DEFAULT =
            new QueueRules(10, Duration.ofSeconds(1), Duration.ofMinutes(5), Duration.ofDays(7), 10);

    /** Doubled so often, each pause is longer than any that can be configured. */
    private static final int MOST_DOUBLINGS = 40;

    public QueueRules {
        Objects.requireNonNull(backoff, "backoff");
        Objects.requireNonNull(maxBackoff, "maxBackoff");
        Objects.requireNonNull(maxAge, "maxAge");
    }

    /**
     * The pause before the next attempt: half of it is certain and half by chance, so that calls that failed together do not
     * come back together.
     *
     * @param failed how many attempts have failed, 1 or more
     * @param chance 0 to 1
     */
    Duration pauseAfter(int failed, double chance) {
        double doubled = (double) backoff.toMillis() * Math.pow(2, Math.min(Math.max(failed, 1) - 1, MOST_DOUBLINGS));
        double pause = Math.min(doubled, (double) maxBackoff.toMillis());
        return Duration.ofMillis(Math.round(pause * (1 + chance) / 2));
    }
}
