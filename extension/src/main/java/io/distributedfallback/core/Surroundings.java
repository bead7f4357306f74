package io.distributedfallback.core;

import java.util.Objects;
import java.util.concurrent.ThreadLocalRandom;
import java.util.function.DoubleSupplier;

/**
 * What the engine needs of the world around it.
 *
 * @param background threads
 * @param clock monotonic time
 * @param listener gets told what happens
 * @param timings how old the copy may be and how long a call may wait
 * @param instruments watch the calls
 * @param chance draws numbers from 0 to just below 1, on any thread
 */
public record Surroundings(
        Background background,
        MonotonicClock clock,
        BreakerListener listener,
        Timings timings,
        Instruments instruments,
        DoubleSupplier chance) {

    public Surroundings {
        Objects.requireNonNull(background, "background");
        Objects.requireNonNull(clock, "clock");
        Objects.requireNonNull(listener, "listener");
        Objects.requireNonNull(timings, "timings");
        Objects.requireNonNull(instruments, "instruments");
        Objects.requireNonNull(chance, "chance");
    }

    /** With chance as it comes. */
    public Surroundings(
            Background background,
            MonotonicClock clock,
            BreakerListener listener,
            Timings timings,
            Instruments instruments) {
        this(
                background,
                clock,
                listener,
                timings,
                instruments,
                () -> ThreadLocalRandom.current().nextDouble());
    }

    /** With nobody who watches. */
    public Surroundings(Background background, MonotonicClock clock, BreakerListener listener, Timings timings) {
        this(background, clock, listener, timings, Instruments.NONE);
    }
}
