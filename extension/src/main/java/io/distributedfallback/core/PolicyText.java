package io.distributedfallback.core;

import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;
import java.util.OptionalDouble;
import java.util.stream.Collectors;

/** A policy as people write it in a configuration: keys and values, in the order of the guide. Secrets in a URL are masked. */
public final class PolicyText {

    private static final String OFF = "off";

    private PolicyText() {}

    /** {@code key=value} pairs, with a blank between them. */
    public static String of(Policy policy) {
        return values(policy).entrySet().stream()
                .map(entry -> entry.getKey() + "=" + entry.getValue())
                .collect(Collectors.joining(" "));
    }

    /** The same as a map. */
    public static Map<String, String> values(Policy policy) {
        Map<String, String> values = new LinkedHashMap<>();
        values.put("failure-threshold", Integer.toString(policy.failureThreshold()));
        values.put("failure-ratio", ratio(policy.failureRatio()));
        values.put("window", duration(policy.window()));
        values.put("minimum-calls", Integer.toString(policy.minimumCalls()));
        values.put("quorum", Integer.toString(policy.quorum()));
        values.put("slow-call", policy.slowCall().map(PolicyText::duration).orElse(OFF));
        values.put("probe-interval", duration(policy.probeInterval()));
        values.put("probe-successes", Integer.toString(policy.probeSuccesses()));
        values.put("probe-lease", duration(policy.probeLease()));
        values.put("probe-timeout", duration(policy.probeTimeout()));
        policy.probeUrl().ifPresent(url -> values.put("probe-url", FailureText.clean(url.toString())));
        values.put("probe-trigger", policy.probeTrigger().name().toLowerCase(Locale.ROOT));
        values.put("recovery", policy.recovery().name().toLowerCase(Locale.ROOT));
        values.put("cooldown", duration(policy.cooldown()));
        values.put("max-cooldown", duration(policy.maxCooldown()));
        values.put("ramp-up", policy.rampUp().map(PolicyText::duration).orElse(OFF));
        values.put("max-keys", Integer.toString(policy.maxKeys()));
        return values;
    }

    private static String ratio(OptionalDouble ratio) {
        return ratio.isPresent() ? Double.toString(ratio.getAsDouble()) : OFF;
    }

    private static String duration(Duration duration) {
        if (duration.toNanosPart() != 0) {
            long millis = duration.toMillis();
            return Duration.ofMillis(millis).equals(duration) ? millis + "ms" : duration.toString();
        }
        long seconds = duration.toSeconds();
        if (seconds % 3600 == 0) {
            return seconds / 3600 + "h";
        }
        return seconds % 60 == 0 ? seconds / 60 + "m" : seconds + "s";
    }
}
