package io.distributedfallback.core;

import io.distributedfallback.Breaker;
import io.distributedfallback.BreakerStatus;
import io.distributedfallback.CopyStatus;
import io.distributedfallback.OperatorCommand;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.RejectedExecutionException;

/**
 * What somebody who watches over an application sees and does: the breakers that this instance knows, which are those
 * that the code declares, those that were used here, and those whose rows matter. Thread-safe.
 */
public final class ControlRoom {

    private final CircuitBreakers breakers;
    private final Engine engine;
    private final String instance;
    private final Set<String> declared;

    /**
     * @param instance the name of this instance
     * @param declared the breakers that the code declares, used or not
     */
    ControlRoom(CircuitBreakers breakers, Engine engine, String instance, Set<String> declared) {
        this.breakers = breakers;
        this.engine = engine;
        this.instance = instance;
        this.declared = Set.copyOf(declared);
    }

    /** The name of this instance. */
    public String instance() {
        return instance;
    }

    /**
     * Sees to it that the copy of the store is fresh: waits for one read, {@link Timings#readTimeout()} at most, unless
     * it is. However many ask, an instance reads once in {@link Timings#fresh()}.
     */
    public void refresh() {
        engine.copy().awaitFresh();
    }

    /** What the copy is worth. */
    public CopyStatus copy() {
        return breakers.copy();
    }

    /** For what is done off the threads of requests. */
    public Background background() {
        return engine.background();
    }

    /** How long the copy is fresh. */
    public Duration fresh() {
        return engine.surroundings().timings().fresh();
    }

    /** All breakers, in no order. Never waits. */
    public List<BreakerStatus> statuses() {
        long now = engine.now();
        Snapshot copy = engine.copy().latest();
        Map<String, BreakerStatus> all = new HashMap<>();
        for (String name : declared) {
            all.put(name, unused(name, copy, now));
        }
        for (Sighting sighting : copy.rows()) {
            all.put(sighting.row().name(), sighting.status(now, false, copy.age(now)));
        }
        breakers.inMemory().forEach(breaker -> all.put(breaker.name(), breaker.status()));
        return new ArrayList<>(all.values());
    }

    /** One breaker; empty if it is not known. Never waits. */
    public Optional<BreakerStatus> status(String name) {
        Optional<BreakerStatus> used = used(name).map(Breaker::status);
        if (used.isPresent()) {
            return used;
        }
        Snapshot copy = engine.copy().latest();
        return declared.contains(name) || copy.has(name)
                ? Optional.of(unused(name, copy, engine.now()))
                : Optional.empty();
    }

    private Optional<CircuitBreaker> used(String name) {
        return breakers.inMemory()
                .filter(breaker -> breaker.name().equals(name))
                .findFirst();
    }

    /** A breaker that is not in use here is made for a command alone. */
    private CircuitBreaker forgotten(String name) {
        String base = KeyedName.parse(name).map(KeyedName.Parts::base).orElse(name);
        return new CircuitBreaker(name, Definition.of(base, engine), Optional.empty(), written -> {});
    }

    private static BreakerStatus unused(String name, Snapshot copy, long now) {
        return copy.of(name).status(now, false, copy.age(now));
    }

    /** The policy of a breaker as it is now; that of a key is the breaker's. */
    public Policy policyOf(String name) {
        return engine.policyOf(KeyedName.parse(name).map(KeyedName.Parts::base).orElse(name));
    }

    /**
     * Carries out a command; see {@link Breaker#command}.
     *
     * @return the status after it; empty if the breaker is not known, and then nothing was done
     */
    public Optional<BreakerStatus> command(String name, OperatorCommand command) {
        if (status(name).isEmpty()) {
            return Optional.empty();
        }
        Optional<CircuitBreaker> used = used(name);
        BreakerStatus after = used.orElseGet(() -> forgotten(name)).command(command);
        if (used.isEmpty()) {
            // Nobody here keeps the row that the command left.
            readLater();
        }
        return Optional.of(after);
    }

    private void readLater() {
        try {
            engine.background().run(() -> {
                boolean unused = engine.copy().readAnew();
            });
        } catch (RejectedExecutionException e) {
            // The command has been carried out all the same; the next read finds it.
            engine.listener().storeTrouble(StoreException.noThread(e));
        }
    }

    /**
     * The history, the newest entry first. Waits for it, {@link Timings#writeTimeout()} at most.
     *
     * @throws StoreException if it cannot be had in that time
     */
    public List<HistoryEntry> history(HistoryQuery query) {
        return breakers.history(query);
    }

    /**
     * Has something done whenever what this instance knows has changed: on whatever thread learns of it, a caller's for
     * instance, so it must be quick and must not throw.
     *
     * @return ends it
     */
    public Runnable watch(Runnable whenChanged) {
        Watch watch = new Watch(whenChanged);
        engine.changes().watch(whenChanged);
        engine.copy().afterNextRead(watch);
        return () -> {
            engine.changes().forget(whenChanged);
            watch.ended = true;
        };
    }

    /** Compares each reading of the store with the one before. */
    private final class Watch implements Runnable {

        private final Runnable whenChanged;
        private Snapshot last = engine.copy().latest();
        private volatile boolean ended;

        Watch(Runnable whenChanged) {
            this.whenChanged = whenChanged;
        }

        @Override
        public void run() {
            if (ended) {
                return;
            }
            boolean changed;
            synchronized (this) {
                Snapshot now = engine.copy().latest();
                changed = !now.isLike(last);
                last = now;
            }
            engine.copy().afterNextRead(this);
            if (changed) {
                whenChanged.run();
            }
        }
    }
}
