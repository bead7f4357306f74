package io.distributedfallback.limit;

import io.distributedfallback.FallbackLimit.Scope;
import java.time.Duration;
import java.util.Objects;

/**
 * What holds for a limit.
 *
 * @param name its name
 * @param permitsPerSecond how many calls may begin in a second, 1 or more
 * @param scope whose calls are counted together
 * @param burst how many calls may begin at once after a quiet time, 1 or more
 * @param maxConcurrent how many calls may be under way on an instance; 0 for any number
 * @param maxWait how long a call may wait; zero for not at all
 */
public record LimitSettings(
        String name, int permitsPerSecond, Scope scope, int burst, int maxConcurrent, Duration maxWait) {

    /** The longest wait that can be asked for: threads that wait are missing elsewhere. */
    public static final Duration LONGEST_WAIT = Duration.ofSeconds(5);

    /** Blocks are handed out for so much of a second; a bucket that holds less could not fill them. */
    private static final int BLOCKS_PER_SECOND = 10;

    public LimitSettings {
        Objects.requireNonNull(name, "name");
        Objects.requireNonNull(scope, "scope");
        Objects.requireNonNull(maxWait, "maxWait");
        if (permitsPerSecond < 1 || burst < 1 || maxConcurrent < 0 || maxWait.isNegative()) {
            throw new IllegalArgumentException("no limit: " + permitsPerSecond + " permits a second, burst " + burst
                    + ", " + maxConcurrent + " under way, wait " + maxWait);
        }
    }

    /** The permits of a tenth of a second, and never none. */
    public static int leastBurstOfCluster(int permitsPerSecond) {
        return (permitsPerSecond + BLOCKS_PER_SECOND - 1) / BLOCKS_PER_SECOND;
    }

    /** For people: all of it but the name. */
    public String describe() {
        return permitsPerSecond + " a second for " + (scope == Scope.CLUSTER ? "all instances" : "each instance")
                + ", burst "
                + burst + ", maxConcurrent " + (maxConcurrent == 0 ? "any" : maxConcurrent) + ", maxWait "
                + (maxWait.isZero() ? "off" : maxWait);
    }
}
