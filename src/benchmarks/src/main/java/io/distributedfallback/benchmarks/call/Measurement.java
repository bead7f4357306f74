package io.distributedfallback.benchmarks.call;

import org.openjdk.jmh.results.Result;
import org.openjdk.jmh.results.RunResult;

/**
 * What one call cost in one round.
 *
 * @param nanos the time
 * @param bytes what was allocated
 */
record Measurement(double nanos, double bytes) {

    private static final String BYTES = "gc.alloc.rate.norm";

    @SuppressWarnings("rawtypes") // as JMH has it
    static Measurement of(RunResult result) {
        // The name begins with a dot in some versions.
        double bytes = result.getSecondaryResults().entrySet().stream()
                .filter(entry -> entry.getKey().endsWith(BYTES))
                .map(entry -> entry.getValue())
                .mapToDouble(Result::getScore)
                .findFirst()
                .orElseThrow();
        return new Measurement(result.getPrimaryResult().getScore(), bytes);
    }
}
