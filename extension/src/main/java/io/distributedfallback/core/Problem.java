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

    /** More than any place that the product names, and less than would drown a log. */
    private static final int LONGEST_PLACE = 600;

    private static final int LONGEST_REMEDY = 2_000;

    /** One line, whatever the parts hold: code, what, where, value, remedy, each cut. */
    @Override
    public String toString() {
        return code + ": " + code.summary() + ": " + FailureText.oneLine(where, LONGEST_PLACE)
                + (value.isEmpty() ? "" : " [" + FailureText.oneLine(value) + "]") + ". "
                + FailureText.oneLine(remedy, LONGEST_REMEDY);
    }
}
