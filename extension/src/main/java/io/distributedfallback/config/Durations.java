package io.distributedfallback.config;

import java.time.DateTimeException;
import java.time.Duration;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Durations as users write them: ISO-8601, or a whole number with one of the units {@code ms}, {@code s}, {@code m},
 * {@code h}; from {@link #SHORTEST} to {@link #LONGEST}.
 */
final class Durations {

    /** What the store can tell from nothing. */
    static final Duration SHORTEST = Duration.ofMillis(1);

    /** Far beyond any use, and far below where adding it to a time could overflow. */
    static final Duration LONGEST = Duration.ofDays(365);

    private static final Pattern NUMBER_AND_UNIT = Pattern.compile("(-?[0-9]{1,18})(ms|s|m|h)");

    private Durations() {}

    /**
     * Reads a duration.
     *
     * @throws IllegalArgumentException with what is wrong, if it cannot be read or is out of range
     */
    static Duration parse(String text) {
        Duration duration = read(text);
        if (duration.isZero() || duration.isNegative()) {
            throw new IllegalArgumentException("a duration must be positive");
        }
        if (duration.compareTo(SHORTEST) < 0) {
            throw new IllegalArgumentException("a duration must be at least 1ms");
        }
        if (duration.compareTo(LONGEST) > 0) {
            throw new IllegalArgumentException("a duration must be at most 365 days");
        }
        return duration;
    }

    /** As {@link #parse}, or empty for {@code off}. */
    static Optional<Duration> parseOrOff(String text) {
        return text.equalsIgnoreCase("off") ? Optional.empty() : Optional.of(parse(text));
    }

    private static Duration read(String text) {
        Matcher matcher = NUMBER_AND_UNIT.matcher(text);
        try {
            if (!matcher.matches()) {
                return Duration.parse(text);
            }
            long number = Long.parseLong(matcher.group(1));
            return switch (matcher.group(2)) {
                case "ms" -> Duration.ofMillis(number);
                case "s" -> Duration.ofSeconds(number);
                case "m" -> Duration.ofMinutes(number);
                default -> Duration.ofHours(number);
            };
        } catch (DateTimeException | ArithmeticException e) {
            throw new IllegalArgumentException("it is no duration", e);
        }
    }
}
