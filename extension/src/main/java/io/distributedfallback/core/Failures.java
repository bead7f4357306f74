package io.distributedfallback.core;

import io.distributedfallback.FailureKind;
import java.util.Objects;

/**
 * Failures on the way to the store.
 *
 * @param count how many, 1 or more
 * @param kind the kind of the last one
 * @param text what was seen of the last one: one line, cut, with secrets masked (see {@link FailureText})
 * @param ramp the {@linkplain io.distributedfallback.BreakerStatus.RecoveryProgress#token() token} of the recovery whose
 *     growing share a call among them belonged to, the highest if there were several; 0 if none did
 */
public record Failures(int count, FailureKind kind, String text, long ramp) {
    public Failures {
        if (count < 1) {
            throw new IllegalArgumentException("at least one failure is needed, not " + count);
        }
        Objects.requireNonNull(kind, "kind");
        Objects.requireNonNull(text, "text");
    }

    /** Of calls that belonged to no growing share. */
    public Failures(int count, FailureKind kind, String text) {
        this(count, kind, text, 0);
    }

    /** Of a call that belonged to no growing share. */
    public static Failures one(FailureKind kind, String text) {
        return new Failures(1, kind, text);
    }

    /** These and then others: with the kind and the text of the last one. */
    Failures then(Failures later) {
        return new Failures(Evidence.sum(count, later.count), later.kind, later.text, Math.max(ramp, later.ramp));
    }
}
