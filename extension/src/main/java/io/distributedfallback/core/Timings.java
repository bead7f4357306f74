package io.distributedfallback.core;

import java.time.Duration;
import java.util.Optional;

/**
 * How old the instance's copy of the store may be, and how long a call may wait for the store.
 *
 * @param fresh up to this age a call answers from the copy and does nothing about it
 * @param maxAge up to this age a call answers from the copy and has it refreshed after the request; past it, it waits
 * @param readTimeout the longest wait for a read, including the wait for a connection
 * @param writeTimeout the longest wait for a write, including the wait for a connection
 * @param retireAfter for how long a row that nobody needs must have been left alone to be deleted; empty for never
 * @param historyRetention for how long entries of the history are kept; empty for ever
 */
public record Timings(
        Duration fresh,
        Duration maxAge,
        Duration readTimeout,
        Duration writeTimeout,
        Optional<Duration> retireAfter,
        Optional<Duration> historyRetention) {

    /** 2 s, 30 s, 1 s, 1 s, 24 h, 90 days. */
    public static final Timings DEFAULT =
            new Timings(Duration.ofSeconds(2), Duration.ofSeconds(30), Duration.ofSeconds(1), Duration.ofSeconds(1));

    /** With 24 h for {@link #retireAfter} and 90 days for {@link #historyRetention}. */
    public Timings(Duration fresh, Duration maxAge, Duration readTimeout, Duration writeTimeout) {
        this(
                fresh,
                maxAge,
                readTimeout,
                writeTimeout,
                Optional.of(Duration.ofHours(24)),
                Optional.of(Duration.ofDays(90)));
    }
}
