package io.distributedfallback.config;

import io.distributedfallback.BreakerPolicy;
import io.distributedfallback.ProbeTrigger;
import io.distributedfallback.Recovery;
import io.distributedfallback.core.PolicyBuilder;
import java.net.URI;
import java.net.URISyntaxException;
import java.time.Duration;
import java.util.Arrays;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.function.BiConsumer;
import java.util.function.Function;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/** The keys of a breaker's policy: their name, their member of {@link BreakerPolicy}, and how they are read. */
@SuppressWarnings("ImmutableEnumChecker") // the functions have no state
enum PolicyKey {
    FAILURE_THRESHOLD(
            "failure-threshold",
            "a whole number of 1 or more, such as 3",
            policy -> number(policy.failureThreshold()),
            setter(PolicyKey::count, PolicyBuilder::failureThreshold)),
    FAILURE_RATIO(
            "failure-ratio",
            "a number above 0 and up to 1, such as 0.5, or off",
            BreakerPolicy::failureRatio,
            setter(PolicyKey::share, PolicyBuilder::failureRatio)),
    WINDOW("window", "a positive duration, such as 60s", BreakerPolicy::window, duration(PolicyBuilder::window)),
    MINIMUM_CALLS(
            "minimum-calls",
            "a whole number of 1 or more, such as 20",
            policy -> number(policy.minimumCalls()),
            setter(PolicyKey::count, PolicyBuilder::minimumCalls)),
    QUORUM(
            "quorum",
            "a whole number of 1 or more, such as 2",
            policy -> number(policy.quorum()),
            setter(PolicyKey::count, PolicyBuilder::quorum)),
    SLOW_CALL(
            "slow-call",
            "a positive duration, such as 2s, or off",
            BreakerPolicy::slowCall,
            setter(text -> Durations.parseOrOff(text).orElse(null), PolicyBuilder::slowCall)),
    PROBE_INTERVAL(
            "probe-interval",
            "a positive duration, such as 15s",
            BreakerPolicy::probeInterval,
            duration(PolicyBuilder::probeInterval)),
    PROBE_SUCCESSES(
            "probe-successes",
            "a whole number of 1 or more, such as 3",
            policy -> number(policy.probeSuccesses()),
            setter(PolicyKey::count, PolicyBuilder::probeSuccesses)),
    PROBE_LEASE(
            "probe-lease",
            "a positive duration, such as 10s",
            BreakerPolicy::probeLease,
            duration(PolicyBuilder::probeLease)),
    PROBE_TIMEOUT(
            "probe-timeout",
            "a positive duration, such as 5s",
            BreakerPolicy::probeTimeout,
            duration(PolicyBuilder::probeTimeout)),
    PROBE_URL(
            "probe-url",
            "an absolute http or https URL, such as https://api.example.com/health",
            BreakerPolicy::probeUrl,
            setter(PolicyKey::url, PolicyBuilder::probeUrl)),
    PROBE_TRIGGER(
            "probe-trigger",
            "traffic or background",
            policy -> names(policy.probeTrigger()),
            setter(text -> ConfigValues.constant(ProbeTrigger.class, text), PolicyBuilder::probeTrigger)),
    RECOVERY(
            "recovery",
            "probe or trial",
            policy -> names(policy.recovery()),
            setter(text -> ConfigValues.constant(Recovery.class, text), PolicyBuilder::recovery)),
    COOLDOWN(
            "cooldown", "a positive duration, such as 60s", BreakerPolicy::cooldown, duration(PolicyBuilder::cooldown)),
    MAX_COOLDOWN(
            "max-cooldown",
            "a positive duration, such as 1h",
            BreakerPolicy::maxCooldown,
            duration(PolicyBuilder::maxCooldown)),
    MAX_KEYS(
            "max-keys",
            "a whole number of 1 or more, such as 1000",
            policy -> number(policy.maxKeys()),
            setter(PolicyKey::count, PolicyBuilder::maxKeys));

    /** As people write it; Java would also take 0x1p-1, 1e-1, 0.5f and NaN. */
    private static final Pattern NUMBER = Pattern.compile("[0-9]{1,9}(\\.[0-9]{1,9})?|\\.[0-9]{1,9}");

    private final String key;
    private final String expected;
    private final Function<BreakerPolicy, String> member;
    private final BiConsumer<PolicyBuilder, String> setter;

    PolicyKey(
            String key,
            String expected,
            Function<BreakerPolicy, String> member,
            BiConsumer<PolicyBuilder, String> setter) {
        this.key = key;
        this.expected = expected;
        this.member = member;
        this.setter = setter;
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
        return Optional.of(member.apply(policy).strip()).filter(text -> !text.isEmpty());
    }

    /**
     * Puts a value into a policy.
     *
     * @throws IllegalArgumentException with what is wrong with the value; the policy is as before then
     */
    void set(PolicyBuilder policy, String text) {
        setter.accept(policy, text);
    }

    private static <T> BiConsumer<PolicyBuilder, String> setter(
            Function<String, T> parser, BiConsumer<PolicyBuilder, T> property) {
        return (policy, text) -> property.accept(policy, parser.apply(text));
    }

    private static BiConsumer<PolicyBuilder, String> duration(BiConsumer<PolicyBuilder, Duration> property) {
        return setter(Durations::parse, property);
    }

    private static String number(int value) {
        return value == 0 ? "" : Integer.toString(value);
    }

    private static String names(Enum<?>[] values) {
        return Arrays.stream(values).map(Enum::name).collect(Collectors.joining(","));
    }

    private static int count(String text) {
        int count;
        try {
            count = Integer.parseInt(text);
        } catch (NumberFormatException e) {
            throw new IllegalArgumentException("it is no whole number from 1 to " + Integer.MAX_VALUE, e);
        }
        if (count < 1) {
            throw new IllegalArgumentException("it must be 1 or more");
        }
        return count;
    }

    private static OptionalDouble share(String text) {
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
        return url;
    }
}
