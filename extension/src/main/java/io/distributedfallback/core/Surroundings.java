package io.distributedfallback.core;

import java.util.Objects;

/**
 * What the engine needs of the world around it.
 *
 * @param background threads
 * @param clock monotonic time
 * @param listener gets told what happens
 * @param timings how old the copy may be and how long a call may wait
 */
public record Surroundings(Background background, MonotonicClock clock, BreakerListener listener, Timings timings) {
    public Surroundings {
        Objects.requireNonNull(background, "background");
        Objects.requireNonNull(clock, "clock");
        Objects.requireNonNull(listener, "listener");
        Objects.requireNonNull(timings, "timings");
    }
}
