package io.distributedfallback.core;

import java.time.Duration;
import java.util.Objects;
import java.util.Optional;
import java.util.OptionalDouble;

/**
 * When an alert is raised.
 *
 * @param openFor how long a breaker must be known to be open; empty for no such alert
 * @param fallbackShare the share of calls that must be exceeded, from 0 to 1; empty for no such alert
 * @param minimumCalls with fewer calls in {@link #window} there is no share to speak of
 * @param flappingOpenings how often a breaker must open in {@link #flappingWindow}
 * @param window the time over which calls are counted, and for which a refusal is remembered
 * @param flappingWindow the time over which openings are counted
 */
public record AlertRules(
        Optional<Duration> openFor,
        OptionalDouble fallbackShare,
        int minimumCalls,
        int flappingOpenings,
        Duration window,
        Duration flappingWindow) {

    /** 5 minutes, 10 %, 20 calls, 3 openings; 5 and 30 minutes. */
    public static final AlertRules DEFAULT = new AlertRules(
            Optional.of(Duration.ofMinutes(5)),
            OptionalDouble.of(0.1),
            20,
            3,
            Duration.ofMinutes(5),
            Duration.ofMinutes(30));

    public AlertRules {
        Objects.requireNonNull(openFor, "openFor");
        Objects.requireNonNull(fallbackShare, "fallbackShare");
        Objects.requireNonNull(window, "window");
        Objects.requireNonNull(flappingWindow, "flappingWindow");
    }

    /** With the same windows. */
    public AlertRules(
            Optional<Duration> openFor, OptionalDouble fallbackShare, int minimumCalls, int flappingOpenings) {
        this(openFor, fallbackShare, minimumCalls, flappingOpenings, DEFAULT.window, DEFAULT.flappingWindow);
    }
}
