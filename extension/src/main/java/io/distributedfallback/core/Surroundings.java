package io.distributedfallback.core;

import java.util.Objects;

/**
 * What the engine needs of the world around it.
 *
 * @param background threads
 * @param clock monotonic time
 * @param listener gets told what happens
 * @param timings how old the copy may be and how long a call may wait
 * @param instruments watch the calls
 */
public record Surroundings(
        Background background,
        MonotonicClock clock,
        BreakerListener listener,
        Timings timings,
        Instruments instruments) {

    public Surroundings {
        Objects.requireNonNull(background, "background");
        Objects.requireNonNull(clock, "clock");
        Objects.requireNonNull(listener, "listener");
        Objects.requireNonNull(timings, "timings");
        Objects.requireNonNull(instruments, "instruments");
    }

    /** With nobody who watches. */
    public Surroundings(Background background, MonotonicClock clock, BreakerListener listener, Timings timings) {
        this(background, clock, listener, timings, Instruments.NONE);
    }
}
