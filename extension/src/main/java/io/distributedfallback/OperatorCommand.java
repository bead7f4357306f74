package io.distributedfallback;

import java.time.Duration;
import java.util.Objects;
import java.util.Optional;

/**
 * What an operator wants of a breaker, for the whole cluster. Immutable.
 *
 * @param action what to do
 * @param by who wants it: 1 to {@value #LONGEST_NAME} characters, not blank, no control characters, nor line separators,
 *     halves of surrogate pairs or characters that turn the direction of writing
 * @param reason why: 1 to {@value #LONGEST_REASON} characters, with the same rule
 * @param expiry of {@link Action#FORCE_OPEN} and {@link Action#FORCE_CLOSED}: for how long, by the store's clock, at least a
 *     second and at most {@value #LONGEST_DAYS} days; empty if until it is cleared. Always empty for the other two
 */
public record OperatorCommand(Action action, String by, String reason, Optional<Duration> expiry) {

    /** The most characters of {@link #by}. */
    public static final int LONGEST_NAME = 100;

    /** The most characters of {@link #reason}. */
    public static final int LONGEST_REASON = 500;

    /** The most days of {@link #expiry}. */
    public static final int LONGEST_DAYS = 365;

    /** What to do. */
    public enum Action {
        /** All calls go to the fallback, whatever the state. Replaces an override that is in force. */
        FORCE_OPEN,
        /** All calls go to the primary, whatever the state; failures go on being counted, and may open. Replaces as well. */
        FORCE_CLOSED,
        /** Ends an override that is in force, if there is one: the state decides again. */
        CLEAR_OVERRIDE,
        /**
         * Closes an open breaker and forgets failures, window and cooldown; verdicts of probes on their way count no more. All
         * calls go to the primary at once, also with {@code ramp-up}. An override stays in force.
         */
        RESET
    }

    /**
     * Checks it.
     *
     * @throws IllegalArgumentException if something is not as said above
     */
    public OperatorCommand {
        Objects.requireNonNull(action, "action");
        Objects.requireNonNull(expiry, "expiry");
        requireText("by", by, LONGEST_NAME);
        requireText("reason", reason, LONGEST_REASON);
        boolean forces = action == Action.FORCE_OPEN || action == Action.FORCE_CLOSED;
        if (expiry.isPresent() && !forces) {
            throw new IllegalArgumentException("expiry is for FORCE_OPEN and FORCE_CLOSED alone, not for " + action);
        }
        expiry.ifPresent(OperatorCommand::requireExpiry);
    }

    private static void requireText(String what, String text, int most) {
        Objects.requireNonNull(text, what);
        if (text.codePoints().allMatch(OperatorCommand::isInvisible)
                || text.length() > most
                || !text.codePoints().allMatch(OperatorCommand::isPlain)) {
            throw new IllegalArgumentException(
                    what + " must have 1 to " + most + " characters, not all blank, and no control characters");
        }
    }

    /** Stays on its line of a log, reads the way that it was written, and can be stored. */
    private static boolean isPlain(int codePoint) {
        boolean turnsDirection =
                (codePoint >= 0x202a && codePoint <= 0x202e) || (codePoint >= 0x2066 && codePoint <= 0x2069);
        return !turnsDirection
                && switch (Character.getType(codePoint)) {
                    case Character.CONTROL,
                            Character.SURROGATE,
                            Character.LINE_SEPARATOR,
                            Character.PARAGRAPH_SEPARATOR -> false;
                    default -> true;
                };
    }

    /** Characters of formatting too: logs and rows keep none of these. */
    private static boolean isInvisible(int character) {
        int type = Character.getType(character);
        return Character.isWhitespace(character)
                || Character.isSpaceChar(character)
                || type == Character.FORMAT
                || type == Character.SURROGATE;
    }

    private static void requireExpiry(Duration expiry) {
        if (expiry.compareTo(Duration.ofSeconds(1)) < 0 || expiry.compareTo(Duration.ofDays(LONGEST_DAYS)) > 0) {
            throw new IllegalArgumentException(
                    "expiry must be 1 second to " + LONGEST_DAYS + " days, but is " + expiry);
        }
    }
}
