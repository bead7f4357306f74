package io.distributedfallback.core;

import io.distributedfallback.Breaker;
import io.distributedfallback.Breakers;
import io.distributedfallback.ProbeTrigger;
import io.distributedfallback.Recovery;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentSkipListMap;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.atomic.AtomicBoolean;

/** The breakers of one application, and what they share. Thread-safe. */
public final class CircuitBreakers implements Breakers, AutoCloseable {

    private final ConcurrentHashMap<String, CircuitBreaker> breakers = new ConcurrentHashMap<>();
    private final Engine engine;
    private volatile Background.Task tick = () -> {};
    private final AtomicBoolean ticking = new AtomicBoolean();
    private volatile boolean started;
    private volatile boolean closed;

    /**
     * Nothing is read or written before the first call.
     *
     * @param shared the store of all instances; empty if this instance keeps its breakers to itself
     * @param standIn the store in memory, used where there is no shared one and while that one is away
     */
    public CircuitBreakers(
            Optional<BreakerStore> shared,
            MemoryBreakerStore standIn,
            Surroundings surroundings,
            Application application) {
        BreakerListener listener = surroundings.listener();
        StoreHealth health = new StoreHealth(
                surroundings.clock(), () -> standIn.adopt(knownRows()), listener::storeLost, listener::storeBack);
        engine = new Engine(
                surroundings,
                application,
                new StoreCopy(shared, health, surroundings),
                new GuardedStore(shared, standIn, health, surroundings),
                new Retirement(shared.orElse(standIn), surroundings));
    }

    @Override
    public CircuitBreaker get(String name) {
        CircuitBreaker known = breakers.get(name);
        if (known != null) {
            return known;
        }
        CircuitBreaker created =
                breakers.computeIfAbsent(BreakerName.require(name), checked -> new CircuitBreaker(checked, engine));
        tickIfWanted();
        return created;
    }

    /** What guards a method whose breaker the configuration takes away. */
    public Guard withoutBreaker() {
        return new FallbackOnly(engine.surroundings());
    }

    @Override
    public Collection<Breaker> all() {
        return List.copyOf(new ConcurrentSkipListMap<String, Breaker>(breakers).values());
    }

    /** Reads the store, so that the first call need not wait for that; nothing if there is no breaker. In the background. */
    public void readAhead() {
        if (!breakers.isEmpty()) {
            engine.copy().refresh();
        }
    }

    /** From now on, as soon as a breaker wants it, a timer wakes probes without traffic. */
    public void startBackgroundProbes() {
        started = true;
        tickIfWanted();
    }

    private void tickIfWanted() {
        boolean wanted = started && breakers.values().stream().anyMatch(CircuitBreakers::isProbedInBackground);
        if (wanted && ticking.compareAndSet(false, true)) {
            scheduleTick();
        }
    }

    private void scheduleTick() {
        try {
            tick = engine.background().schedule(afterFresh(), this::tick);
        } catch (RejectedExecutionException e) {
            ticking.set(false);
            engine.listener().storeTrouble(StoreException.noThread(e));
        }
    }

    /** A little later than the copy is fresh: nothing would be read before. */
    private Duration afterFresh() {
        return engine.surroundings().timings().fresh().plusMillis(50);
    }

    private void tick() {
        if (closed) {
            return;
        }
        scheduleTick();
        engine.copy().refresh();
        breakers.values().stream().filter(CircuitBreakers::isProbedInBackground).forEach(CircuitBreaker::wakeProbe);
    }

    private static boolean isProbedInBackground(CircuitBreaker breaker) {
        Policy policy = breaker.refreshPolicy();
        return policy.probeTrigger() == ProbeTrigger.BACKGROUND && policy.recovery() == Recovery.PROBE;
    }

    /** Every row that this instance knows, as it is now. */
    private Collection<BreakerRow> knownRows() {
        long now = engine.now();
        Map<String, BreakerRow> rows = new HashMap<>();
        engine.copy()
                .latest()
                .rows()
                .forEach(sighting -> rows.put(sighting.row().name(), sighting.at(now)));
        breakers.values()
                .forEach(breaker -> rows.put(breaker.name(), breaker.seen().at(now)));
        return new ArrayList<>(rows.values());
    }

    /** Gives leases back, stops the timer, and hands nothing more over. */
    @Override
    public void close() {
        closed = true;
        tick.cancel();
        breakers.values().forEach(CircuitBreaker::stop);
    }
}
