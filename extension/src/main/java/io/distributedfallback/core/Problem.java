package io.distributedfallback.core;

import java.util.Objects;

/**
 * Something that a user has to mend.
 *
 * @param code its code in the catalogue
 * @param where the class, method, breaker or key
 * @param value what was found there; empty if nothing can be shown
 * @param remedy what to do
 */
public record Problem(ProblemCode code, String where, String value, String remedy) {
    public Problem {
        Objects.requireNonNull(code, "code");
        Objects.requireNonNull(where, "where");
        Objects.requireNonNull(value, "value");
        Objects.requireNonNull(remedy, "remedy");
    }

    /** One line: code, what, where, value, remedy. */
    @Override
    public String toString() {
        return code + ": " + code.summary() + ": " + where
                + (value.isEmpty() ? "" : " [" + FailureText.oneLine(value) + "]") + ". " + remedy;
    }
}
