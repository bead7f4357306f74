package io.distributedfallback.core;

import java.util.Objects;
import java.util.Optional;
import java.util.OptionalLong;

/**
 * Which part of the history is wanted.
 *
 * @param breaker of one breaker; empty for all
 * @param before older than the entry of that {@linkplain HistoryEntry#id() id}; empty for the newest
 * @param limit the most entries, 1 to {@value #MOST}
 */
public record HistoryQuery(Optional<String> breaker, OptionalLong before, int limit) {

    /** The most entries of one answer. */
    public static final int MOST = 500;

    public HistoryQuery {
        Objects.requireNonNull(breaker, "breaker");
        Objects.requireNonNull(before, "before");
        if (limit < 1 || limit > MOST) {
            throw new IllegalArgumentException("limit must be 1 to " + MOST + ", but is " + limit);
        }
    }
}
