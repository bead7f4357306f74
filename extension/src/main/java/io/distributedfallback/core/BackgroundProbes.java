package io.distributedfallback.core;

import io.distributedfallback.ProbeTrigger;
import io.distributedfallback.Recovery;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.stream.Stream;

/** A timer that wakes the probes of open breakers without traffic, as soon as one breaker wants that. Thread-safe. */
final class BackgroundProbes {

    private final Map<String, CircuitBreaker> breakers;
    private final Map<String, KeyedBreakers> keyed;
    private final Engine engine;
    private final Runnable wakeAgain = this::wakeIfWanted;
    private final AtomicBoolean ticking = new AtomicBoolean();
    private volatile Background.Task tick = () -> {};
    private volatile boolean started;
    private volatile boolean stopped;

    /**
     * Starts nothing.
     *
     * @param breakers the breakers of the application, which become more
     * @param keyed the breakers of keys, by the name of their base
     */
    BackgroundProbes(Map<String, CircuitBreaker> breakers, Map<String, KeyedBreakers> keyed, Engine engine) {
        this.breakers = breakers;
        this.keyed = keyed;
        this.engine = engine;
    }

    /** From now on, and for breakers that are there already. */
    void start() {
        started = true;
        wakeIfWanted();
    }

    void stop() {
        stopped = true;
        tick.cancel();
    }

    private void wakeIfWanted() {
        breakers.values().forEach(this::wakeIfWanted);
    }

    /** A breaker is new; the timer is set if it is the first one that wants it. */
    void wakeIfWanted(CircuitBreaker breaker) {
        if (started && !stopped && isProbedInBackground(breaker) && ticking.compareAndSet(false, true)) {
            scheduleTick();
        }
    }

    private void scheduleTick() {
        try {
            tick = engine.background().schedule(afterFresh(), this::tick);
        } catch (RejectedExecutionException e) {
            ticking.set(false);
            engine.copy().afterNextRead(wakeAgain);
            engine.listener().storeTrouble(StoreException.noThread(e));
        }
    }

    /** A little later than the copy is fresh: nothing would be read before. */
    private Duration afterFresh() {
        return engine.surroundings().timings().fresh().plusMillis(50);
    }

    private void tick() {
        if (stopped) {
            return;
        }
        scheduleTick();
        engine.copy().refresh();
        haveOpenKeys();
        breakers.values().stream()
                .filter(BackgroundProbes::isProbedInBackground)
                .flatMap(this::withKeys)
                .forEach(CircuitBreaker::wakeProbe);
    }

    /** Keys that are open and were used on other instances only, or before this one started, are to be probed as well. */
    private void haveOpenKeys() {
        for (Sighting sighting : engine.copy().latest().rows()) {
            if (sighting.row().isOpen()) {
                KeyedName.parse(sighting.row().name())
                        .filter(parts -> parts.isKeyKnown() && keyed.containsKey(parts.base()))
                        .filter(parts -> isProbedInBackground(breakers.get(parts.base())))
                        .ifPresent(parts -> keyed.get(parts.base()).of(parts.key()));
            }
        }
    }

    private Stream<CircuitBreaker> withKeys(CircuitBreaker breaker) {
        KeyedBreakers keys = keyed.get(breaker.name());
        return keys == null ? Stream.of(breaker) : Stream.concat(Stream.of(breaker), keys.all());
    }

    private static boolean isProbedInBackground(CircuitBreaker breaker) {
        Policy policy = breaker.refreshPolicy();
        return policy.probeTrigger() == ProbeTrigger.BACKGROUND && policy.recovery() == Recovery.PROBE;
    }
}
