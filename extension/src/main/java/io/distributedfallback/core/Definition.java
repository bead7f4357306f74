package io.distributedfallback.core;

import java.util.Optional;

/**
 * What the configuration and the code say of a breaker: the same for all of its keys.
 *
 * @param breaker the name that they call it by
 * @param engine what it shares with all others
 * @param rules how failures are judged where no annotation says more
 * @param thresholds what other instances are known to count against
 * @param watch counts the calls
 */
record Definition(String breaker, Engine engine, FailureRules rules, OtherThresholds thresholds, CallWatch watch) {

    static Definition of(String breaker, Engine engine) {
        return new Definition(
                breaker,
                engine,
                engine.rulesOf(breaker),
                new OtherThresholds(breaker, engine.listener()),
                CallWatch.of(breaker, engine.surroundings().instruments()));
    }

    /** The policy as it is now. */
    Policy policy() {
        return thresholds.own(engine.policyOf(breaker));
    }

    /** What asks the provider; for a key, if there is one. */
    ProbeCall probe(Policy policy, Optional<String> key) {
        ProbeCall probe = engine.probeOf(breaker, policy);
        return key.map(probe::forKey).orElse(probe);
    }
}
