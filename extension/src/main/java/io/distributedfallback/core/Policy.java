package io.distributedfallback.core;

import io.distributedfallback.Health;
import io.distributedfallback.ProbeTrigger;
import io.distributedfallback.Recovery;
import java.net.URI;
import java.time.Duration;
import java.util.Optional;
import java.util.OptionalDouble;

/** When a breaker opens and how it closes. Immutable; {@link #DEFAULT} has the defaults of the product. */
public final class Policy {

    /** The defaults, for a breaker without a probe. */
    public static final Policy DEFAULT = new PolicyBuilder().build();

    private final int failureThreshold;
    private final OptionalDouble failureRatio;
    private final Duration window;
    private final int minimumCalls;
    private final int quorum;
    private final Optional<Duration> slowCall;
    private final Duration probeInterval;
    private final int probeSuccesses;
    private final Duration probeLease;
    private final Duration probeTimeout;
    private final Optional<URI> probeUrl;
    private final ProbeTrigger probeTrigger;
    private final Recovery recovery;
    private final Duration cooldown;
    private final Duration maxCooldown;
    private final Optional<Duration> rampUp;
    private final int maxKeys;
    private final Health health;

    Policy(PolicyBuilder builder) {
        failureThreshold = builder.failureThreshold;
        failureRatio = builder.failureRatio;
        window = builder.window;
        minimumCalls = builder.minimumCalls;
        quorum = builder.quorum;
        slowCall = Optional.ofNullable(builder.slowCall);
        probeInterval = builder.probeInterval;
        recovery = builder.recovery;
        probeSuccesses = builder.probeSuccesses.orElse(recovery == Recovery.TRIAL ? 1 : 3);
        probeLease = builder.probeLease;
        probeTimeout = builder.probeTimeout;
        probeUrl = Optional.ofNullable(builder.probeUrl);
        probeTrigger = builder.probeTrigger;
        cooldown = builder.cooldown;
        maxCooldown = builder.maxCooldown;
        rampUp = Optional.ofNullable(builder.rampUp);
        maxKeys = builder.maxKeys;
        health = builder.health;
    }

    /** Consecutive failures, over all instances, that open; 3 by default. */
    public int failureThreshold() {
        return failureThreshold;
    }

    /** The share of the calls of all instances in the window that opens when it has failed, above 0 to 1; off by default. */
    public OptionalDouble failureRatio() {
        return failureRatio;
    }

    /** For how long calls count for the failure ratio, from the failure that begins it; 60 s by default. */
    public Duration window() {
        return window;
    }

    /** With fewer calls in the window the failure ratio does not open; 20 by default. */
    public int minimumCalls() {
        return minimumCalls;
    }

    /** How many distinct instances must have failed for the breaker to open; 1 by default. */
    public int quorum() {
        return quorum;
    }

    /** A call that takes longer counts as a failure, when it is overdue; off by default. */
    public Optional<Duration> slowCall() {
        return slowCall;
    }

    /** From a verdict, or from the opening, to the next probe; 15 s by default. */
    public Duration probeInterval() {
        return probeInterval;
    }

    /** Passes in a row that close; by default 3, or 1 with {@link Recovery#TRIAL}. */
    public int probeSuccesses() {
        return probeSuccesses;
    }

    /** How long a grant lasts; 10 s by default. */
    public Duration probeLease() {
        return probeLease;
    }

    /** A probe that runs longer has failed; 5 s by default, below the lease. */
    public Duration probeTimeout() {
        return probeTimeout;
    }

    /** An address that is asked instead of a probe method; none by default. */
    public Optional<URI> probeUrl() {
        return probeUrl;
    }

    /** What wakes a probe; {@link ProbeTrigger#TRAFFIC} by default. */
    public ProbeTrigger probeTrigger() {
        return probeTrigger;
    }

    /** By a probe or by a trial call. */
    public Recovery recovery() {
        return recovery;
    }

    /** The pause after throttling with no time named; 60 s by default. */
    public Duration cooldown() {
        return cooldown;
    }

    /** The longest pause obeyed; 1 h by default. */
    public Duration maxCooldown() {
        return maxCooldown;
    }

    /** Over this time after closing the share of calls that go to the primary grows from 0 to 1; off by default. */
    public Optional<Duration> rampUp() {
        return rampUp;
    }

    /** How many keys may have a breaker of their own in one instance's memory; 1000 by default. */
    public int maxKeys() {
        return maxKeys;
    }

    /** What it says about the readiness of an instance; {@link Health#UP} by default. */
    public Health health() {
        return health;
    }

    /** A builder that starts with this policy. */
    public PolicyBuilder toBuilder() {
        return new PolicyBuilder()
                .failureThreshold(failureThreshold)
                .failureRatio(failureRatio)
                .window(window)
                .minimumCalls(minimumCalls)
                .quorum(quorum)
                .slowCall(slowCall.orElse(null))
                .probeInterval(probeInterval)
                .probeSuccesses(probeSuccesses)
                .probeLease(probeLease)
                .probeTimeout(probeTimeout)
                .probeUrl(probeUrl.orElse(null))
                .probeTrigger(probeTrigger)
                .recovery(recovery)
                .cooldown(cooldown)
                .maxCooldown(maxCooldown)
                .rampUp(rampUp.orElse(null))
                .maxKeys(maxKeys)
                .health(health);
    }
}
