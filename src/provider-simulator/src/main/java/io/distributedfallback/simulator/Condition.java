package io.distributedfallback.simulator;

import jakarta.json.Json;
import jakarta.json.JsonObject;
import jakarta.json.JsonObjectBuilder;
import java.time.Duration;
import java.util.Arrays;
import java.util.Locale;

/**
 * What a provider has been told to be.
 *
 * @param mode how it behaves
 * @param status the status it answers with
 * @param delay how long it takes to answer; only with {@link Mode#SLOW}
 * @param retryAfter the pause it asks for; only with {@link Mode#THROTTLED}
 */
record Condition(Mode mode, int status, Duration delay, Duration retryAfter) {

    static final Condition HEALTHY = new Condition(Mode.HEALTHY, 200, Duration.ZERO, Duration.ZERO);

    /** Nobody waits longer for an answer; it also keeps a slip of the pen from piling up requests for days. */
    private static final Duration LONGEST_DELAY = Duration.ofMinutes(1);

    private static final Duration LONGEST_PAUSE = Duration.ofDays(1);

    /** The ways to behave. */
    enum Mode {
        /** Answers at once. */
        HEALTHY,
        /** Answers correctly, but late. */
        SLOW,
        /** Answers with a 5xx; 522 is the text page of a content delivery network, not the API's own. */
        FAILING,
        /** Answers 429 with Retry-After. */
        THROTTLED,
        /** Answers 401, as if the key had expired. */
        UNAUTHORIZED,
        /** Takes the request and never answers, like a host that has dropped off the network. */
        GONE;

        String word() {
            return name().toLowerCase(Locale.ROOT);
        }

        static Mode of(String word) {
            return Arrays.stream(values())
                    .filter(mode -> mode.word().equals(word))
                    .findFirst()
                    .orElseThrow(() -> new IllegalArgumentException("condition is \"" + word + "\"; it must be one of "
                            + Arrays.stream(values()).map(Mode::word).toList()));
        }
    }

    static Condition slow(Duration delay) {
        return new Condition(
                Mode.SLOW, 200, between("delayMillis", Duration.ofMillis(1), delay, LONGEST_DELAY), zero());
    }

    static Condition failing(int status) {
        if (status < 500 || status > 599) {
            throw new IllegalArgumentException("status is " + status + "; it must be 500 to 599");
        }
        return new Condition(Mode.FAILING, status, zero(), zero());
    }

    static Condition throttled(Duration retryAfter) {
        return new Condition(
                Mode.THROTTLED, 429, zero(), between("retryAfterSeconds", zero(), retryAfter, LONGEST_PAUSE));
    }

    static Condition unauthorized() {
        return new Condition(Mode.UNAUTHORIZED, 401, zero(), zero());
    }

    static Condition gone() {
        return new Condition(Mode.GONE, 0, zero(), zero());
    }

    /**
     * Reads what a caller of the admin address has written.
     *
     * @throws IllegalArgumentException if it names no mode, or a value that is out of range
     */
    static Condition of(JsonObject json) {
        Mode mode = Mode.of(json.getString("condition", ""));
        return switch (mode) {
            case HEALTHY -> HEALTHY;
            case SLOW -> slow(Duration.ofMillis(number(json, "delayMillis", 3_000)));
            case FAILING -> failing(number(json, "status", 500));
            case THROTTLED -> throttled(Duration.ofSeconds(number(json, "retryAfterSeconds", 30)));
            case UNAUTHORIZED -> unauthorized();
            case GONE -> gone();
        };
    }

    /** The same form as {@link #of(JsonObject)} reads. */
    JsonObjectBuilder toJson() {
        JsonObjectBuilder json = Json.createObjectBuilder().add("condition", mode.word());
        switch (mode) {
            case SLOW -> json.add("delayMillis", delay.toMillis());
            case FAILING -> json.add("status", status);
            case THROTTLED -> json.add("retryAfterSeconds", retryAfter.toSeconds());
            case HEALTHY, UNAUTHORIZED, GONE -> {
                // nothing more to say
            }
        }
        return json;
    }

    private static int number(JsonObject json, String name, int absent) {
        if (!json.containsKey(name)) {
            return absent;
        }
        try {
            return json.getJsonNumber(name).intValueExact();
        } catch (ClassCastException | ArithmeticException e) {
            throw new IllegalArgumentException(name + " is " + json.get(name) + "; it must be a whole number", e);
        }
    }

    private static Duration between(String name, Duration least, Duration value, Duration most) {
        if (value.compareTo(least) < 0 || value.compareTo(most) > 0) {
            throw new IllegalArgumentException(name + " stands for " + value + "; it must be " + least + " to " + most);
        }
        return value;
    }

    private static Duration zero() {
        return Duration.ZERO;
    }
}
