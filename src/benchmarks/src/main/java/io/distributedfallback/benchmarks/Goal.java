package io.distributedfallback.benchmarks;

/**
 * What a figure must not exceed.
 *
 * @param most the largest value that meets it
 * @param isBinding whether a build fails that misses it; only for what does not depend on the machine
 */
public record Goal(double most, boolean isBinding) {

    /** One that is only shown. */
    public static Goal atMost(double most) {
        return new Goal(most, false);
    }

    /** One on which the build depends. */
    public static Goal binding(double most) {
        return new Goal(most, true);
    }

    boolean isMetBy(double value) {
        return value <= most;
    }
}
