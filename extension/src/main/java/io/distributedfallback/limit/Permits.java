package io.distributedfallback.limit;

/** Permits for calls to begin. Thread-safe. */
interface Permits {

    /**
     * Takes a permit that is there or will be there in time. May itself wait for the database, as long as the call may.
     *
     * @param mostNanos how long the call may wait, not negative
     * @return in how many nanoseconds the call may begin, 0 for at once; if it may not, and no permit has been taken, a
     *     negative number: less by as many nanoseconds as a retry makes sense after
     */
    long take(long mostNanos);
}
