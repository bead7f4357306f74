package io.distributedfallback.it.app;

import io.distributedfallback.DistributedFallback;
import io.distributedfallback.Probe;
import jakarta.enterprise.context.ApplicationScoped;
import jakarta.inject.Inject;
import java.io.IOException;

/** One guarded method for each scenario, so that no scenario meets the breaker of another. */
@ApplicationScoped
public class Catalogue {

    @Inject
    Gateway provider;

    @DistributedFallback(breaker = "outage", fallbackMethod = "fallback")
    public String outage() {
        return provider.visit("outage");
    }

    @Probe("outage")
    void probeOutage() {
        provider.probe("outage");
    }

    @DistributedFallback(breaker = "lease", fallbackMethod = "fallback")
    public String lease() {
        return provider.visit("lease");
    }

    @Probe("lease")
    void probeLease() {
        provider.probe("lease");
    }

    @DistributedFallback(breaker = "deferred", fallbackMethod = "fallback")
    public String deferred() {
        return provider.visit("deferred");
    }

    @Probe("deferred")
    boolean probeDeferred() throws IOException, InterruptedException {
        return provider.probePatiently("deferred");
    }

    @DistributedFallback(breaker = "refused", fallbackMethod = "fallback")
    public String refused() {
        return provider.visit("refused");
    }

    @Probe("refused")
    void probeRefused() {
        provider.probe("refused");
    }

    @DistributedFallback(breaker = "throttled", fallbackMethod = "fallback")
    public String throttled() {
        return provider.visit("throttled");
    }

    @Probe("throttled")
    void probeThrottled() {
        provider.probe("throttled");
    }

    @DistributedFallback(breaker = "stored", fallbackMethod = "fallback")
    public String stored() {
        return provider.visit("stored");
    }

    @Probe("stored")
    void probeStored() {
        provider.probe("stored");
    }

    @DistributedFallback(breaker = "frozen", fallbackMethod = "fallback")
    public String frozen() {
        return provider.visit("frozen");
    }

    @Probe("frozen")
    void probeFrozen() {
        provider.probe("frozen");
    }

    @DistributedFallback(breaker = "late", fallbackMethod = "fallback")
    public String late() {
        return provider.visit("late");
    }

    @Probe("late")
    void probeLate() {
        provider.probe("late");
    }

    @DistributedFallback(breaker = "healthy", fallbackMethod = "fallback")
    public String healthy() {
        return provider.visit("healthy");
    }

    @Probe("healthy")
    void probeHealthy() {
        provider.probe("healthy");
    }

    @DistributedFallback(breaker = "stranded", fallbackMethod = "fallback")
    public String stranded() {
        return provider.visit("stranded");
    }

    @Probe("stranded")
    void probeStranded() {
        provider.probe("stranded");
    }

    /** Has no probe: one real call at a time is the test. */
    @DistributedFallback(breaker = "trial", fallbackMethod = "fallback")
    public String trial() {
        return provider.visit("trial");
    }

    String fallback() {
        return "fallback";
    }
}
