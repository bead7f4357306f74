package io.distributedfallback.limit;

import java.time.Duration;

/**
 * For how long this instance leaves the fallback alone. While it does well a call pays two looks at fields.
 *
 * <ol>
 *   <li>A pause that is asked for is only ever extended.
 *   <li>The third failure in a row begins one of 1 s. What comes of calls that began before a pause ended says nothing
 *       about the fallback after it.
 *   <li>After it the first failure begins one twice as long, up to 30 s. A success ends the row.
 * </ol>
 */
final class FallbackPause {

    /** As many failures in a row begin a pause. */
    static final int MOST_FAILURES = 3;

    private static final long FIRST = Duration.ofSeconds(1).toNanos();
    private static final long LONGEST = Duration.ofSeconds(30).toNanos();

    /** More make no difference. */
    private static final int MOST_DOUBLINGS = 5;

    private volatile long until;

    /** Written by those who hold the lock on this. */
    private volatile int failures;

    FallbackPause(long now) {
        until = now;
    }

    /** The rest of it; 0 or less if there is none. */
    long left(long now) {
        return until - now;
    }

    /**
     * Begins one, or makes it longer.
     *
     * @return whether there is one now that was not there, or not that long
     */
    synchronized boolean extend(long now, long nanos) {
        if (nanos <= 0 || now + nanos - until <= 0) {
            return false;
        }
        until = now + nanos;
        return true;
    }

    void succeeded() {
        if (failures != 0) {
            synchronized (this) {
                failures = 0;
            }
        }
    }

    /**
     * One more in a row.
     *
     * @param begun when the call began
     * @return the pause that begins with it, in nanoseconds; 0 if none does
     */
    synchronized long failed(long begun, long now) {
        if (failures >= MOST_FAILURES && begun - until < 0) {
            return 0;
        }
        failures++;
        if (failures < MOST_FAILURES) {
            return 0;
        }
        long pause = Math.min(FIRST << Math.min(failures - MOST_FAILURES, MOST_DOUBLINGS), LONGEST);
        extend(now, pause);
        return pause;
    }
}
