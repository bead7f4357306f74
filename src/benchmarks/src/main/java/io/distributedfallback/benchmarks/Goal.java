package io.distributedfallback.benchmarks;

/**
 * What a figure must keep to.
 *
 * @param limit the last value that meets it
 * @param isFloor whether a figure must not be below it; otherwise it must not be above it
 * @param isBinding whether a build fails that misses it; only for what does not depend on the machine
 */
public record Goal(double limit, boolean isFloor, boolean isBinding) {

    /** A ceiling that is only shown. */
    public static Goal atMost(double most) {
        return new Goal(most, false, false);
    }

    /** A floor that is only shown. */
    public static Goal atLeast(double least) {
        return new Goal(least, true, false);
    }

    /** A ceiling on which the build depends. */
    public static Goal binding(double most) {
        return new Goal(most, false, true);
    }

    boolean isMetBy(double value) {
        return isFloor ? value >= limit : value <= limit;
    }

    String bound() {
        return isFloor ? "at least " : "at most ";
    }
}
