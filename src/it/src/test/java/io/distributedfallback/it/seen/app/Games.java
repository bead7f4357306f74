package io.distributedfallback.it.seen.app;

import io.distributedfallback.DistributedFallback;
import io.distributedfallback.Probe;
import jakarta.enterprise.context.ApplicationScoped;

/** Two providers that fail when they are told to. */
@ApplicationScoped
public class Games {

    private volatile boolean down;

    @DistributedFallback(breaker = "rawg", fallbackMethod = "igdb")
    public String search(boolean fails) {
        down = fails;
        return answer();
    }

    String igdb(boolean fails) {
        return "fallback";
    }

    @Probe("rawg")
    void probe() {
        String unused = answer();
    }

    @DistributedFallback(breaker = "payments", fallbackMethod = "later")
    public String pay(boolean fails) {
        if (fails) {
            throw new IllegalStateException("down");
        }
        return "primary";
    }

    String later(boolean fails) {
        return "fallback";
    }

    @Probe("payments")
    void probePayments() {
        throw new IllegalStateException("still down");
    }

    /** Whether what a probe asks answers. */
    public void mend() {
        down = false;
    }

    private String answer() {
        if (down) {
            throw new IllegalStateException("down");
        }
        return "primary";
    }
}
