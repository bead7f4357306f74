package io.distributedfallback.benchmarks.store;

import io.distributedfallback.core.ProbeCall;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;

/** A provider that is down, and notes who asks it. */
final class Outage implements ProbeCall {

    /** Shorter than by default, so that there are some to count. */
    static final Duration PROBE_INTERVAL = Duration.ofSeconds(1);

    /** A probe takes its time, so that two at once would be seen. */
    private static final Duration DURATION = Duration.ofMillis(20);

    private final AtomicInteger probes = new AtomicInteger();
    private final AtomicInteger underWay = new AtomicInteger();
    private final AtomicInteger mostAtOnce = new AtomicInteger();

    @Override
    public boolean passes() {
        probes.incrementAndGet();
        mostAtOnce.accumulateAndGet(underWay.incrementAndGet(), Math::max);
        LockSupport.parkNanos(DURATION.toNanos());
        underWay.decrementAndGet();
        return false;
    }

    int probes() {
        return probes.get();
    }

    int mostAtOnce() {
        return mostAtOnce.get();
    }
}
