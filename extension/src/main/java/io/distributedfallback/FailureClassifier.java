package io.distributedfallback;

import java.util.Optional;

/**
 * An application's own knowledge of its failures. A CDI bean of this type is asked before the built-in classifier,
 * several in the order of their {@code @Priority}, lowest first. Must be thread-safe and quick; an exception that it
 * throws is logged and taken for "no opinion".
 */
@FunctionalInterface
public interface FailureClassifier {

    /**
     * Classifies a failure of a guarded call or of a probe.
     *
     * @param failure what was thrown, with wrappers such as {@code CompletionException} taken off
     * @return the classification, or empty for no opinion
     */
    Optional<Classification> classify(Throwable failure);
}
