package io.distributedfallback.core;

import io.distributedfallback.FailureKind;
import java.util.Objects;

/**
 * Failures on the way to the store.
 *
 * @param count how many, 1 or more
 * @param kind the kind of the last one
 * @param text what was seen of the last one: one line, cut, with secrets masked (see {@link FailureText})
 */
public record Failures(int count, FailureKind kind, String text) {
    public Failures {
        if (count < 1) {
            throw new IllegalArgumentException("at least one failure is needed, not " + count);
        }
        Objects.requireNonNull(kind, "kind");
        Objects.requireNonNull(text, "text");
    }

    public static Failures one(FailureKind kind, String text) {
        return new Failures(1, kind, text);
    }
}
