package io.distributedfallback.core;

import io.distributedfallback.FailureClassifier;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.function.Function;

/**
 * What an application brings to the engine.
 *
 * @param policies the policy of a breaker as it is now; asked often, must be quick
 * @param probes the probe method of each breaker that has one
 * @param classifiers its own knowledge of failures, in the order in which it is asked
 * @param rejections makes the exception of a call that was kept from the primary
 */
public record Application(
        Function<String, Policy> policies,
        Map<String, ProbeCall> probes,
        List<FailureClassifier> classifiers,
        Rejections rejections) {

    public Application {
        probes = Map.copyOf(probes);
        classifiers = List.copyOf(classifiers);
    }

    /** Makes the exception of a call that was kept from the primary. */
    @FunctionalInterface
    public interface Rejections {

        /**
         * Makes an exception.
         *
         * @param retryAfter after which a retry makes sense
         * @param why the message: what keeps the call from the primary, and the last failure if it is known
         */
        RuntimeException create(String breaker, Duration retryAfter, String why);
    }
}
