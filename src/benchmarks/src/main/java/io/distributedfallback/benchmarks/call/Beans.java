package io.distributedfallback.benchmarks.call;

import io.distributedfallback.DistributedFallback;
import jakarta.enterprise.context.ApplicationScoped;
import java.time.temporal.ChronoUnit;
import org.eclipse.microprofile.faulttolerance.CircuitBreaker;
import org.eclipse.microprofile.faulttolerance.Fallback;

/** The same bean, guarded by one contender each. */
final class Beans {

    private Beans() {}

    @ApplicationScoped
    static class Unguarded {
        String ask(Provider provider) {
            return provider.answer();
        }
    }

    @ApplicationScoped
    static class PassedThrough {
        @PassThrough
        String ask(Provider provider) {
            return provider.answer();
        }
    }

    @ApplicationScoped
    static class Replaced {
        @PassThrough
        String ask(Provider provider) {
            return instead(provider);
        }

        String instead(Provider provider) {
            return provider.answerInstead();
        }
    }

    @ApplicationScoped
    static class Guarded {
        @DistributedFallback(breaker = Container.BREAKER, fallbackMethod = "instead")
        String ask(Provider provider) {
            return provider.answer();
        }

        String instead(Provider provider) {
            return provider.answerInstead();
        }
    }

    @ApplicationScoped
    static class FaultTolerant {
        @CircuitBreaker(delay = 1, delayUnit = ChronoUnit.HOURS)
        @Fallback(fallbackMethod = "instead")
        String ask(Provider provider) {
            return provider.answer();
        }

        String instead(Provider provider) {
            return provider.answerInstead();
        }
    }
}
