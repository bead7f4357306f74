package io.distributedfallback.queue;

import java.util.Objects;
import java.util.Optional;
import java.util.OptionalLong;

/**
 * Which stored calls are wanted.
 *
 * @param breaker of one breaker; empty for all of the application
 * @param dead only those that are given up, or only those that are not; empty for both
 * @param before with a smaller id
 * @param limit the most calls, 1 to {@value #MOST}
 */
public record CallQuery(Optional<String> breaker, Optional<Boolean> dead, OptionalLong before, int limit) {

    /** The most calls of one answer. */
    public static final int MOST = 500;

    public CallQuery {
        Objects.requireNonNull(breaker, "breaker");
        Objects.requireNonNull(dead, "dead");
        Objects.requireNonNull(before, "before");
        if (limit < 1 || limit > MOST) {
            throw new IllegalArgumentException("limit must be 1 to " + MOST + ", but is " + limit);
        }
    }
}
