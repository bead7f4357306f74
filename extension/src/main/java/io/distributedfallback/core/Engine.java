package io.distributedfallback.core;

import java.time.Instant;
import java.util.Optional;

/**
 * What the breakers of one application share.
 *
 * @param surroundings the world around
 * @param application what the application brings
 * @param copy the instance's copy of the store
 * @param writes the way to the store
 * @param retirement the end of rows that nobody needs
 * @param changes tells whoever watches
 */
record Engine(
        Surroundings surroundings,
        Application application,
        StoreCopy copy,
        GuardedStore writes,
        Retirement retirement,
        Changes changes) {

    long now() {
        return surroundings.clock().nanos();
    }

    Background background() {
        return surroundings.background();
    }

    BreakerListener listener() {
        return surroundings.listener();
    }

    /** A number drawn by lot, 0 to just below 1. */
    double draw() {
        return surroundings.chance().getAsDouble();
    }

    Policy policyOf(String breaker) {
        return application.policies().apply(breaker);
    }

    /** How failures are judged where no annotation says more. */
    FailureRules rulesOf(String breaker) {
        return FailureRules.forAll(breaker, application.classifiers(), listener());
    }

    long freshNanos() {
        return surroundings.timings().fresh().toNanos();
    }

    /** The probe of a breaker: the URL of its policy, else its method. */
    ProbeCall probeOf(String breaker, Policy policy) {
        ProbeCall method = application.probes().get(breaker);
        return policy.probeUrl()
                .<ProbeCall>map(url -> new UrlProbe(url, policy.probeTimeout()))
                .orElseGet(() -> method != null
                        ? method
                        : () -> {
                            throw new IllegalStateException("no probe is declared for breaker " + breaker);
                        });
    }

    /** One that shares nothing with other instances, for what an instance finds out alone. */
    Engine alone() {
        Surroundings around = new Surroundings(
                background(),
                surroundings.clock(),
                new ToldAlone(listener()),
                surroundings.timings(),
                surroundings.instruments(),
                surroundings.chance());
        StoreHealth health = new StoreHealth(surroundings.clock(), surroundings.chance(), new StoreHealth.Watcher() {});
        MemoryBreakerStore memory = new MemoryBreakerStore(surroundings.clock(), Instant.EPOCH, "this instance");
        return new Engine(
                around,
                new Application(
                        breaker -> policyOf(breaker).toBuilder().quorum(1).build(),
                        application.probes(),
                        application.classifiers(),
                        application.rejections()),
                new StoreCopy(Optional.empty(), health, around),
                new GuardedStore(Optional.empty(), memory, health, new SharedFate(around), around),
                new Retirement(memory, around),
                changes);
    }

    /** What a caller gets who was kept from the primary. */
    RuntimeException rejection(String breaker, Admission admission) {
        return application
                .rejections()
                .create(
                        breaker,
                        admission.retryAfter(now()),
                        admission.rejectedBy().describe(admission.rejectedAtNanos()));
    }
}
