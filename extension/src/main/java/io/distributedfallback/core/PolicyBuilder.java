package io.distributedfallback.core;

import io.distributedfallback.Health;
import io.distributedfallback.ProbeTrigger;
import io.distributedfallback.Recovery;
import java.net.URI;
import java.time.Duration;
import java.util.Optional;
import java.util.OptionalDouble;

/**
 * Builds a policy; starts with the defaults of the product. It trusts its caller: what a user writes is checked where it
 * is read. Not thread-safe.
 */
public final class PolicyBuilder {

    int failureThreshold = 3;
    OptionalDouble failureRatio = OptionalDouble.empty();
    Duration window = Duration.ofSeconds(60);
    int minimumCalls = 20;
    int quorum = 1;
    Duration slowCall;
    Duration probeInterval = Duration.ofSeconds(15);
    Optional<Integer> probeSuccesses = Optional.empty();
    Duration probeLease = Duration.ofSeconds(10);
    Duration probeTimeout = Duration.ofSeconds(5);
    URI probeUrl;
    ProbeTrigger probeTrigger = ProbeTrigger.TRAFFIC;
    Recovery recovery = Recovery.TRIAL;
    Duration cooldown = Duration.ofSeconds(60);
    Duration maxCooldown = Duration.ofHours(1);
    Duration rampUp;
    int maxKeys = 1000;
    Health health = Health.UP;

    public PolicyBuilder failureThreshold(int failures) {
        failureThreshold = failures;
        return this;
    }

    /** Empty switches it off. */
    public PolicyBuilder failureRatio(OptionalDouble share) {
        failureRatio = share;
        return this;
    }

    public PolicyBuilder window(Duration length) {
        window = length;
        return this;
    }

    public PolicyBuilder minimumCalls(int calls) {
        minimumCalls = calls;
        return this;
    }

    public PolicyBuilder quorum(int instances) {
        quorum = instances;
        return this;
    }

    /** {@code null} switches it off. */
    public PolicyBuilder slowCall(Duration limit) {
        slowCall = limit;
        return this;
    }

    public PolicyBuilder probeInterval(Duration interval) {
        probeInterval = interval;
        return this;
    }

    public PolicyBuilder probeSuccesses(int passes) {
        probeSuccesses = Optional.of(passes);
        return this;
    }

    public PolicyBuilder probeLease(Duration lease) {
        probeLease = lease;
        return this;
    }

    public PolicyBuilder probeTimeout(Duration timeout) {
        probeTimeout = timeout;
        return this;
    }

    /** {@code null} for none. */
    public PolicyBuilder probeUrl(URI url) {
        probeUrl = url;
        return this;
    }

    public PolicyBuilder probeTrigger(ProbeTrigger trigger) {
        probeTrigger = trigger;
        return this;
    }

    public PolicyBuilder recovery(Recovery way) {
        recovery = way;
        return this;
    }

    public PolicyBuilder cooldown(Duration pause) {
        cooldown = pause;
        return this;
    }

    public PolicyBuilder maxCooldown(Duration longest) {
        maxCooldown = longest;
        return this;
    }

    /** {@code null} switches it off. */
    public PolicyBuilder rampUp(Duration length) {
        rampUp = length;
        return this;
    }

    public PolicyBuilder maxKeys(int keys) {
        maxKeys = keys;
        return this;
    }

    public PolicyBuilder health(Health says) {
        health = says;
        return this;
    }

    public Policy build() {
        return new Policy(this);
    }
}
