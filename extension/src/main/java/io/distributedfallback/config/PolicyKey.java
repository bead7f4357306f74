package io.distributedfallback.config;

import io.distributedfallback.BreakerPolicy;
import io.distributedfallback.Health;
import io.distributedfallback.ProbeTrigger;
import io.distributedfallback.Recovery;
import io.distributedfallback.core.PolicyBuilder;
import java.net.URI;
import java.net.URISyntaxException;
import java.util.Arrays;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/** The keys of a breaker's policy: their name, their member of {@link BreakerPolicy}, and how they are read. */
enum PolicyKey {
    FAILURE_THRESHOLD("failure-threshold", "a whole number of 1 or more, such as 3"),
    FAILURE_RATIO("failure-ratio", "a number above 0 and up to 1, such as 0.5, or off"),
    WINDOW("window", "a positive duration, such as 60s"),
    MINIMUM_CALLS("minimum-calls", "a whole number of 1 or more, such as 20"),
    QUORUM("quorum", "a whole number of 1 or more, such as 2"),
    SLOW_CALL("slow-call", "a positive duration, such as 2s, or off"),
    PROBE_INTERVAL("probe-interval", "a positive duration, such as 15s"),
    PROBE_SUCCESSES("probe-successes", "a whole number of 1 or more, such as 3"),
    PROBE_LEASE("probe-lease", "a positive duration, such as 10s"),
    PROBE_TIMEOUT("probe-timeout", "a positive duration, such as 5s"),
    PROBE_URL("probe-url", "an absolute http or https URL, such as https://api.example.com/health"),
    PROBE_TRIGGER("probe-trigger", "traffic or background"),
    RECOVERY("recovery", "probe or trial"),
    COOLDOWN("cooldown", "a positive duration, such as 60s"),
    MAX_COOLDOWN("max-cooldown", "a positive duration, such as 1h"),
    RAMP_UP("ramp-up", "a positive duration, such as 5m, or off"),
    MAX_KEYS("max-keys", "a whole number of 1 or more, such as 1000"),
    HEALTH("health", "up or down-when-open");

    /** As people write it; Java would also take 0x1p-1, 1e-1, 0.5f and NaN. */
    private static final Pattern NUMBER = Pattern.compile("[0-9]{1,9}(\\.[0-9]{1,9})?|\\.[0-9]{1,9}");

    private static final int LAST_PORT = 65_535;

    private final String key;
    private final String expected;

    PolicyKey(String key, String expected) {
        this.key = key;
        this.expected = expected;
    }

    /** The last segment of the key in the configuration. */
    String key() {
        return key;
    }

    /** What a value must be, with an example. */
    String expected() {
        return expected;
    }

    /** Whether one value can be meant for all breakers. An address cannot: it would ask one provider about another. */
    boolean hasDefault() {
        return this != PROBE_URL;
    }

    /** The name of the member in {@link BreakerPolicy}. */
    String memberName() {
        String[] words = key.split("-", -1);
        return words[0]
                + Arrays.stream(words, 1, words.length)
                        .map(word -> Character.toUpperCase(word.charAt(0)) + word.substring(1))
                        .collect(Collectors.joining());
    }

    /** What an annotation says, as a text; empty if it leaves the member at its default. */
    Optional<String> in(BreakerPolicy policy) {
        String text = member(policy).strip();
        return text.isEmpty() ? Optional.empty() : Optional.of(text);
    }

    private String member(BreakerPolicy policy) {
        return switch (this) {
            case FAILURE_THRESHOLD -> number(policy.failureThreshold());
            case FAILURE_RATIO -> policy.failureRatio();
            case WINDOW -> policy.window();
            case MINIMUM_CALLS -> number(policy.minimumCalls());
            case QUORUM -> number(policy.quorum());
            case SLOW_CALL -> policy.slowCall();
            case PROBE_INTERVAL -> policy.probeInterval();
            case PROBE_SUCCESSES -> number(policy.probeSuccesses());
            case PROBE_LEASE -> policy.probeLease();
            case PROBE_TIMEOUT -> policy.probeTimeout();
            case PROBE_URL -> policy.probeUrl();
            case PROBE_TRIGGER -> names(policy.probeTrigger());
            case RECOVERY -> names(policy.recovery());
            case COOLDOWN -> policy.cooldown();
            case MAX_COOLDOWN -> policy.maxCooldown();
            case RAMP_UP -> policy.rampUp();
            case MAX_KEYS -> number(policy.maxKeys());
            case HEALTH -> names(policy.health());
        };
    }

    /**
     * Puts a value into a policy.
     *
     * @throws IllegalArgumentException with what is wrong with the value; the policy is as before then
     */
    PolicyBuilder set(PolicyBuilder policy, String text) {
        return switch (this) {
            case FAILURE_THRESHOLD -> policy.failureThreshold(count(text));
            case FAILURE_RATIO -> policy.failureRatio(share(text));
            case WINDOW -> policy.window(Durations.parse(text));
            case MINIMUM_CALLS -> policy.minimumCalls(count(text));
            case QUORUM -> policy.quorum(count(text));
            case SLOW_CALL -> policy.slowCall(Durations.parseOrOff(text).orElse(null));
            case PROBE_INTERVAL -> policy.probeInterval(Durations.parse(text));
            case PROBE_SUCCESSES -> policy.probeSuccesses(count(text));
            case PROBE_LEASE -> policy.probeLease(Durations.parse(text));
            case PROBE_TIMEOUT -> policy.probeTimeout(Durations.parse(text));
            case PROBE_URL -> policy.probeUrl(url(text));
            case PROBE_TRIGGER -> policy.probeTrigger(ConfigValues.constant(ProbeTrigger.class, text));
            case RECOVERY -> policy.recovery(ConfigValues.constant(Recovery.class, text));
            case COOLDOWN -> policy.cooldown(Durations.parse(text));
            case MAX_COOLDOWN -> policy.maxCooldown(Durations.parse(text));
            case RAMP_UP -> policy.rampUp(Durations.parseOrOff(text).orElse(null));
            case MAX_KEYS -> policy.maxKeys(count(text));
            case HEALTH -> policy.health(ConfigValues.constant(Health.class, text));
        };
    }

    private static String number(int value) {
        return value == 0 ? "" : Integer.toString(value);
    }

    private static String names(Enum<?>[] values) {
        return Arrays.stream(values).map(Enum::name).collect(Collectors.joining(","));
    }

    static int count(String text) {
        int count;
        try {
            count = wholeNumber(text);
        } catch (NumberFormatException e) {
            throw new IllegalArgumentException("it is no whole number from 1 to " + Integer.MAX_VALUE, e);
        }
        if (count < 1) {
            throw new IllegalArgumentException("it must be 1 or more");
        }
        return count;
    }

    /** Java would also take the digits of any other script, and a plus. */
    static int wholeNumber(String text) {
        if (!text.chars().allMatch(c -> c == '-' || (c >= '0' && c <= '9'))) {
            throw new NumberFormatException("not of ASCII digits");
        }
        return Integer.parseInt(text);
    }

    /** As a number, or empty for {@code off}. */
    static OptionalDouble share(String text) {
        if (text.equalsIgnoreCase("off")) {
            return OptionalDouble.empty();
        }
        if (!NUMBER.matcher(text).matches()) {
            throw new IllegalArgumentException("it is no number");
        }
        double share = Double.parseDouble(text);
        if (share <= 0 || share > 1) {
            throw new IllegalArgumentException("it must be above 0 and at most 1");
        }
        return OptionalDouble.of(share);
    }

    private static URI url(String text) {
        URI url;
        try {
            url = new URI(text);
        } catch (URISyntaxException e) {
            // The message of the cause repeats the whole text, secrets included.
            throw new IllegalArgumentException("it is no URL", e);
        }
        boolean http = "http".equalsIgnoreCase(url.getScheme()) || "https".equalsIgnoreCase(url.getScheme());
        if (!http || url.getHost() == null) {
            throw new IllegalArgumentException("it is no absolute http or https URL");
        }
        if (url.getPort() == 0 || url.getPort() > LAST_PORT) {
            throw new IllegalArgumentException("its port is not one from 1 to " + LAST_PORT);
        }
        return url;
    }
}
