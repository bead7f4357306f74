package io.distributedfallback.limit;

import io.distributedfallback.RetryAfter;
import java.time.Duration;

/**
 * Where the permits of a limit of all instances come from. Each operation is atomic, goes by the store's own clock, and
 * throws a {@link io.distributedfallback.core.StoreException} if it cannot be done. Thread-safe.
 */
public interface PermitStore {

    /**
     * Takes permits out of the limit's bucket, which gets {@link LimitSettings#permitsPerSecond()} a second up to
     * {@link LimitSettings#burst()}, and is full at first. None while there is a pause.
     *
     * @param wanted 1 or more
     * @return what was taken, which may be less than is wanted
     */
    Block take(LimitSettings limit, int wanted);

    /**
     * Keeps all instances from the fallback for a time. A pause is only ever extended.
     *
     * @param until when it ends
     * @param most the longest that it may be
     */
    void pause(LimitSettings limit, RetryAfter until, Duration most);

    /**
     * What was taken.
     *
     * @param permits how many, 0 or more
     * @param untilNext in how many nanoseconds there will be another one; 0 if there is one
     * @param pauseLeft for how many nanoseconds there is a pause; 0 if there is none
     */
    record Block(int permits, long untilNext, long pauseLeft) {}
}
