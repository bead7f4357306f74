package io.distributedfallback.it.container;

import io.distributedfallback.BreakerPolicy;
import io.distributedfallback.DistributedFallback;
import io.distributedfallback.Probe;
import jakarta.enterprise.context.ApplicationScoped;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;

/** A primary that fails until it is mended, and the probe that finds out. Counts what it is asked. */
@ApplicationScoped
@BreakerPolicy(breaker = "flaky", probeInterval = "100ms", probeSuccesses = 1, probeTimeout = "2s", probeLease = "3s")
public class Flaky {

    private final AtomicBoolean broken = new AtomicBoolean(true);
    private final AtomicInteger calls = new AtomicInteger();
    private final AtomicInteger probes = new AtomicInteger();

    @DistributedFallback(breaker = "flaky", fallbackMethod = "fallback")
    public String ask() {
        calls.incrementAndGet();
        answer();
        return "primary";
    }

    String fallback() {
        return "fallback";
    }

    @Probe("flaky")
    void probe() {
        probes.incrementAndGet();
        answer();
    }

    private void answer() {
        if (broken.get()) {
            throw new IllegalStateException("the provider is down");
        }
    }

    public void mend() {
        broken.set(false);
    }

    public int calls() {
        return calls.get();
    }

    public int probes() {
        return probes.get();
    }
}
