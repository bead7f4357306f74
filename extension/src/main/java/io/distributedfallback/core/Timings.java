package io.distributedfallback.core;

import java.time.Duration;

/**
 * How old the instance's copy of the store may be, and how long a call may wait for the store.
 *
 * @param fresh up to this age a call answers from the copy and does nothing about it
 * @param maxAge up to this age a call answers from the copy and has it refreshed after the request; past it, it waits
 * @param readTimeout the longest wait for a read, including the wait for a connection
 * @param writeTimeout the longest wait for a write, including the wait for a connection
 */
public record Timings(Duration fresh, Duration maxAge, Duration readTimeout, Duration writeTimeout) {

    /** 2 s, 30 s, 1 s, 1 s. */
    public static final Timings DEFAULT =
            new Timings(Duration.ofSeconds(2), Duration.ofSeconds(30), Duration.ofSeconds(1), Duration.ofSeconds(1));
}
