package io.distributedfallback.admin;

import io.distributedfallback.BreakerStatus;
import io.distributedfallback.BreakerStatus.LastFailure;
import io.distributedfallback.BreakerStatus.OperatorOverride;
import io.distributedfallback.BreakerStatus.RampUp;
import io.distributedfallback.core.Policy;
import java.time.Duration;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.TreeSet;

/** A breaker, as the API shows it. */
final class BreakerJson {

    private BreakerJson() {}

    static Map<String, Object> of(BreakerStatus status, Policy policy, Instant now) {
        Map<String, Object> json = new LinkedHashMap<>();
        json.put("name", status.breaker());
        json.put("state", status.standing().state());
        json.put("route", status.route());
        json.put("alone", status.alone());
        json.put("consecutiveFailures", status.standing().consecutiveFailures());
        json.put("failureThreshold", status.standing().countedAgainst().orElse(policy.failureThreshold()));
        json.put("window", window(status));
        json.put("failingInstances", new TreeSet<>(status.standing().failingInstances()));
        json.put("openedAt", status.standing().openedAt());
        json.put("closedAt", status.standing().closedAt());
        json.put("recovery", recovery(status, policy));
        json.put("cooldownLeftMillis", status.holds().cooldownLeft().toMillis());
        json.put("override", status.holds().override().map(BreakerJson::override));
        json.put("lastFailure", status.lastFailure().map(BreakerJson::lastFailure));
        json.put("why", Why.of(status, policy, now));
        return json;
    }

    /** Of an open breaker, what it was opened with, if that was counted in a window. */
    private static Optional<Map<String, Object>> window(BreakerStatus status) {
        BreakerStatus.Window window = status.window();
        if (window.calls() == 0 && window.left().isZero()) {
            return Optional.empty();
        }
        Map<String, Object> json = new LinkedHashMap<>();
        json.put("calls", window.calls());
        json.put("failures", window.failures());
        json.put("leftMillis", window.left().toMillis());
        return Optional.of(json);
    }

    private static Map<String, Object> recovery(BreakerStatus status, Policy policy) {
        Map<String, Object> json = new LinkedHashMap<>();
        json.put("passed", status.recovery().consecutiveSuccesses());
        json.put("needed", policy.probeSuccesses());
        json.put("nextProbeInMillis", status.recovery().untilNextProbe().map(Duration::toMillis));
        json.put("leaseLeftMillis", status.recovery().leaseLeft().toMillis());
        json.put("rampUp", status.recovery().rampUp().map(BreakerJson::rampUp));
        return json;
    }

    private static Map<String, Object> rampUp(RampUp rampUp) {
        Map<String, Object> json = new LinkedHashMap<>();
        json.put("percent", (int) (100 * rampUp.share()));
        json.put("leftMillis", rampUp.left().toMillis());
        json.put("lengthMillis", rampUp.length().toMillis());
        return json;
    }

    private static Map<String, Object> override(OperatorOverride override) {
        Map<String, Object> json = new LinkedHashMap<>();
        json.put("mode", override.mode());
        json.put("by", override.by());
        json.put("reason", override.reason());
        json.put("leftMillis", override.left().map(Duration::toMillis));
        return json;
    }

    static Map<String, Object> lastFailure(LastFailure failure) {
        Map<String, Object> json = new LinkedHashMap<>();
        json.put("at", failure.at());
        json.put("kind", failure.kind());
        json.put("text", failure.text());
        json.put("instance", failure.instance());
        return json;
    }
}
