package io.distributedfallback.cdi;

import io.distributedfallback.FailureClassifier;
import io.distributedfallback.config.GuardDefinition;
import io.distributedfallback.core.FailureRules;
import io.distributedfallback.core.Policy;
import io.distributedfallback.core.Surroundings;
import io.distributedfallback.limit.FallbackLimits;
import io.distributedfallback.queue.CallQueues;
import jakarta.enterprise.inject.spi.BeanManager;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;

/**
 * What rungs are made of.
 *
 * @param surroundings threads, time, and who is told
 * @param beans the application's beans
 * @param classifiers the application's own knowledge of failures
 * @param policies the policies of the breakers, by their names
 * @param limits the limits of fallbacks
 * @param queues where calls wait; empty if the breakers are in memory
 */
record RungParts(
        Surroundings surroundings,
        BeanManager beans,
        List<FailureClassifier> classifiers,
        Function<String, Policy> policies,
        FallbackLimits limits,
        Optional<CallQueues> queues) {

    /** How the failures of a guarded method are judged. */
    FailureRules rulesOf(GuardDefinition guard) {
        return new FailureRules(guard.breaker(), guard.failOn(), guard.skipOn(), classifiers, surroundings.listener());
    }
}
