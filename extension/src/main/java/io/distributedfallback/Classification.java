package io.distributedfallback;

import java.util.Objects;
import java.util.Optional;

/**
 * What a {@link FailureClassifier} says of a failure.
 *
 * @param kind the kind of failure
 * @param retryAfter with {@link FailureKind#THROTTLED}, the pause that the provider asks for, if it named one
 */
public record Classification(FailureKind kind, Optional<RetryAfter> retryAfter) {

    public Classification {
        Objects.requireNonNull(kind, "kind");
        Objects.requireNonNull(retryAfter, "retryAfter");
    }

    /**
     * A classification with no pause.
     *
     * @param kind the kind of failure
     * @return the classification
     */
    public static Classification of(FailureKind kind) {
        return new Classification(kind, Optional.empty());
    }

    /**
     * A provider that throttles and says for how long.
     *
     * @param retryAfter the pause
     * @return the classification
     */
    public static Classification throttled(RetryAfter retryAfter) {
        return new Classification(FailureKind.THROTTLED, Optional.of(retryAfter));
    }
}
