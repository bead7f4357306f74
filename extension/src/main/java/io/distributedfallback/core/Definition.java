package io.distributedfallback.core;

/**
 * What the configuration and the code say of a breaker: the same for all of its keys.
 *
 * @param breaker the name that they call it by
 * @param engine what it shares with all others
 * @param rules how failures are judged where no annotation says more
 * @param thresholds what other instances are known to count against
 */
record Definition(String breaker, Engine engine, FailureRules rules, OtherThresholds thresholds) {

    static Definition of(String breaker, Engine engine) {
        return new Definition(
                breaker, engine, engine.rulesOf(breaker), new OtherThresholds(breaker, engine.listener()));
    }

    /** The policy as it is now. */
    Policy policy() {
        return thresholds.own(engine.policyOf(breaker));
    }

    ProbeCall probe(Policy policy) {
        return engine.probeOf(breaker, policy);
    }
}
