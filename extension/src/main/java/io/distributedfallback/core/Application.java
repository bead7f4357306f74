package io.distributedfallback.core;

import java.time.Duration;
import java.util.Map;
import java.util.function.Function;

/**
 * What an application brings to the engine.
 *
 * @param policies the policy of a breaker as it is now; asked often, must be quick
 * @param probes the probe method of each breaker that has one
 * @param rules how failures are classified where no annotation says more
 * @param rejections makes the exception of a call that was kept from the primary
 */
public record Application(
        Function<String, Policy> policies, Map<String, ProbeCall> probes, FailureRules rules, Rejections rejections) {

    public Application {
        probes = Map.copyOf(probes);
    }

    /** Makes the exception of a call that was kept from the primary. */
    @FunctionalInterface
    public interface Rejections {

        /**
         * Makes an exception.
         *
         * @param retryAfter after which a retry makes sense
         * @param why what is known of the last failure
         */
        RuntimeException create(String breaker, Duration retryAfter, String why);
    }
}
