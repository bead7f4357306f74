package io.distributedfallback.benchmarks.call;

import dev.failsafe.Failsafe;
import dev.failsafe.FailsafeExecutor;
import dev.failsafe.Fallback;
import io.github.resilience4j.circuitbreaker.CallNotPermittedException;
import io.github.resilience4j.circuitbreaker.CircuitBreaker;
import io.github.resilience4j.circuitbreaker.CircuitBreakerConfig;
import io.smallrye.faulttolerance.api.TypedGuard;
import java.time.Duration;
import java.time.temporal.ChronoUnit;

/**
 * The libraries that need no container, each as its own documentation has it: a breaker that stays open for an hour, and
 * a fallback where there is one to be had.
 */
final class Peers {

    private static final Provider SPARE = new Provider();

    private Peers() {}

    static Subject typedGuard() {
        TypedGuard<String> guard = TypedGuard.create(String.class)
                .withCircuitBreaker()
                .delay(1, ChronoUnit.HOURS)
                .done()
                .withFallback()
                .handler(SPARE::answerInstead)
                .done()
                .build();
        return provider -> guard.call(provider::answer);
    }

    static Subject resilience4j() {
        CircuitBreakerConfig stayingOpen = CircuitBreakerConfig.custom()
                .waitDurationInOpenState(Duration.ofHours(1))
                .build();
        CircuitBreaker breaker = CircuitBreaker.of("provider", stayingOpen);
        return provider -> {
            try {
                return breaker.executeSupplier(provider::answer);
            } catch (CallNotPermittedException | IllegalStateException failure) {
                return provider.answerInstead();
            }
        };
    }

    static Subject failsafe() {
        dev.failsafe.CircuitBreaker<String> breaker = dev.failsafe.CircuitBreaker.<String>builder()
                .withFailureThreshold(3)
                .withDelay(Duration.ofHours(1))
                .build();
        FailsafeExecutor<String> executor = Failsafe.with(Fallback.of(SPARE::answerInstead), breaker);
        return provider -> executor.get(provider::answer);
    }
}
