package io.distributedfallback.admin;

import io.distributedfallback.core.FailureText;
import io.distributedfallback.core.Policy;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;

/** The policy of a breaker, by the keys of the configuration. */
final class PolicyJson {

    private PolicyJson() {}

    static Map<String, Object> of(Policy policy) {
        Map<String, Object> json = new LinkedHashMap<>();
        json.put("failure-threshold", text(policy.failureThreshold()));
        json.put(
                "failure-ratio",
                policy.failureRatio().isPresent() ? text(policy.failureRatio().getAsDouble()) : "off");
        json.put("window", text(policy.window()));
        json.put("minimum-calls", text(policy.minimumCalls()));
        json.put("quorum", text(policy.quorum()));
        json.put("slow-call", policy.slowCall().map(PolicyJson::text).orElse("off"));
        json.put("probe-interval", text(policy.probeInterval()));
        json.put("probe-successes", text(policy.probeSuccesses()));
        json.put("probe-lease", text(policy.probeLease()));
        json.put("probe-timeout", text(policy.probeTimeout()));
        // A key may stand in it.
        json.put(
                "probe-url",
                policy.probeUrl().map(url -> FailureText.clean(url.toString())).orElse("none"));
        json.put("probe-trigger", text(policy.probeTrigger()));
        json.put("recovery", text(policy.recovery()));
        json.put("cooldown", text(policy.cooldown()));
        json.put("max-cooldown", text(policy.maxCooldown()));
        json.put("max-keys", text(policy.maxKeys()));
        return json;
    }

    private static String text(Object value) {
        return value.toString().toLowerCase(Locale.ROOT);
    }

    /** As it can be configured, with the largest unit that it is a whole number of. */
    private static String text(Duration duration) {
        if (duration.toMillisPart() != 0 || duration.isZero()) {
            return duration.toMillis() + "ms";
        }
        long seconds = duration.toSeconds();
        if (seconds % 3600 == 0) {
            return seconds / 3600 + "h";
        }
        return seconds % 60 == 0 ? seconds / 60 + "m" : seconds + "s";
    }
}
