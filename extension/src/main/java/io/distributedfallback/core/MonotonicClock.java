package io.distributedfallback.core;

/** Time that only ever runs forward, for measuring on one instance. Tests put their own in its place. */
@FunctionalInterface
public interface MonotonicClock {

    /** Nanoseconds since an arbitrary moment, as {@link System#nanoTime()}. */
    long nanos();
}
