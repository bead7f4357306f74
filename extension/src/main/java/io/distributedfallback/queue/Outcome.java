package io.distributedfallback.queue;

import java.util.Objects;

/**
 * What became of an attempt to make a stored call.
 *
 * @param kind what it means
 * @param error what went wrong, fit for a log; empty if nothing did
 */
public record Outcome(Kind kind, String error) {

    /** It has been made. */
    public static final Outcome DONE = new Outcome(Kind.DONE, "");

    /** The breaker kept it away from the provider. */
    public static final Outcome KEPT_AWAY = new Outcome(Kind.KEPT_AWAY, "");

    public Outcome {
        Objects.requireNonNull(kind, "kind");
        Objects.requireNonNull(error, "error");
    }

    /** What an outcome means. */
    public enum Kind {
        /** It has been made. */
        DONE,
        /** The provider was not asked; the attempt does not count. */
        KEPT_AWAY,
        /** Another attempt makes sense. */
        FAILED,
        /** No other attempt would do better. */
        HOPELESS
    }
}
