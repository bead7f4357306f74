package io.distributedfallback.core;

import io.distributedfallback.Breaker;
import io.distributedfallback.Breakers;
import io.distributedfallback.CopyStatus;
import io.distributedfallback.ProbeTrigger;
import io.distributedfallback.PushState;
import io.distributedfallback.Recovery;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Function;
import java.util.stream.Stream;

/** The breakers of one application, and what they share. Thread-safe. */
public final class CircuitBreakers implements Breakers, AutoCloseable {

    private final ConcurrentHashMap<String, CircuitBreaker> breakers = new ConcurrentHashMap<>();
    private final ConcurrentHashMap<String, KeyedBreakers> keyed = new ConcurrentHashMap<>();
    private final Engine engine;
    private final Runnable tickAgain = this::tickIfWanted;
    private volatile Background.Task tick = () -> {};
    private final AtomicBoolean ticking = new AtomicBoolean();
    private volatile Optional<ChangeWatch> watch = Optional.empty();
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
        Changes changes = new Changes();
        StoreHealth health = new StoreHealth(
                surroundings.clock(),
                () -> standIn.adopt(knownRows()),
                reason -> {
                    listener.storeLost(reason);
                    changes.tell();
                },
                () -> {
                    listener.storeBack();
                    changes.tell();
                });
        engine = new Engine(
                surroundings,
                application,
                new StoreCopy(shared, health, surroundings),
                new GuardedStore(shared, standIn, health, surroundings),
                new Retirement(shared.orElse(standIn), surroundings),
                changes);
        engine.copy().afterEachRead(this::tellOpen);
    }

    private void tellOpen(Snapshot read) {
        engine.listener().storeRead(read.open(engine.now(), breakers::containsKey), read.askedNanos());
    }

    @Override
    public CircuitBreaker get(String name) {
        CircuitBreaker known = breakers.get(name);
        if (known != null) {
            return known;
        }
        CircuitBreaker created = breakers.computeIfAbsent(
                BreakerName.require(name),
                checked ->
                        new CircuitBreaker(checked, Definition.of(checked, engine), Optional.empty(), written -> {}));
        tickIfWanted(created);
        return created;
    }

    @Override
    public CircuitBreaker get(String name, Object key) {
        return keysOf(name).of(key);
    }

    /** The breakers of the keys of a breaker. */
    public KeyedBreakers keysOf(String name) {
        KeyedBreakers known = keyed.get(name);
        return known != null
                ? known
                : keyed.computeIfAbsent(
                        KeyedName.requireBase(name), checked -> new KeyedBreakers(get(checked), engine));
    }

    /** What guards a method whose breaker, of that name, the configuration takes away. */
    public Guard withoutBreaker(String name) {
        return new FallbackOnly(
                engine.surroundings(), CallWatch.of(name, engine.surroundings().instruments()));
    }

    @Override
    public Collection<Breaker> all() {
        return inMemory()
                .<Breaker>map(Function.identity())
                .sorted(Comparator.comparing(Breaker::name))
                .toList();
    }

    @Override
    public CopyStatus copy() {
        return new CopyStatus(
                engine.copy().latest().age(engine.now()),
                watch.map(ChangeWatch::state).orElse(PushState.OFF),
                engine.writes().isUp());
    }

    Stream<CircuitBreaker> inMemory() {
        return Stream.concat(breakers.values().stream(), keyed.values().stream().flatMap(KeyedBreakers::all));
    }

    /**
     * What somebody sees and does who watches over the application.
     *
     * @param instance the name of this instance
     * @param declared the breakers that the code declares, used or not
     */
    public ControlRoom controlRoom(String instance, Set<String> declared) {
        return new ControlRoom(this, engine, instance, declared);
    }

    /**
     * The history, the newest entry first. Waits for the store, {@link Timings#writeTimeout()} at most; where this instance
     * keeps its breakers to itself, it is that of this instance.
     *
     * @throws StoreException if the store does not answer
     */
    public List<HistoryEntry> history(HistoryQuery query) {
        return engine.writes().ask(store -> store.history(query));
    }

    /** What is known of them. */
    public Readings readings() {
        return new Readings(breakers, keyed, engine);
    }

    /** Reads the store, so that the first call need not wait for that; nothing if there is no breaker. In the background. */
    public void readAhead() {
        if (!breakers.isEmpty()) {
            engine.copy().refresh();
        }
    }

    /**
     * Has this instance hear at once of what changes elsewhere, from the first read on. Call it once, before that.
     *
     * @param feed brings the news; closed with this
     * @param insisted whether the user asked for it, and is to be warned where it cannot work
     */
    public void listenTo(ChangeFeed feed, boolean insisted) {
        ChangeWatch listening = new ChangeWatch(feed, insisted, engine.copy(), engine.surroundings());
        watch = Optional.of(listening);
        listening.start();
    }

    /** From now on, as soon as a breaker wants it, a timer wakes probes without traffic. */
    public void startBackgroundProbes() {
        started = true;
        tickIfWanted();
    }

    private void tickIfWanted() {
        breakers.values().forEach(this::tickIfWanted);
    }

    private void tickIfWanted(CircuitBreaker breaker) {
        if (started && !closed && isProbedInBackground(breaker) && ticking.compareAndSet(false, true)) {
            scheduleTick();
        }
    }

    private void scheduleTick() {
        try {
            tick = engine.background().schedule(afterFresh(), this::tick);
        } catch (RejectedExecutionException e) {
            ticking.set(false);
            engine.copy().afterNextRead(tickAgain);
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
        haveOpenKeys();
        breakers.values().stream()
                .filter(CircuitBreakers::isProbedInBackground)
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

    /** Every row that this instance knows, as it is now. */
    private Collection<BreakerRow> knownRows() {
        long now = engine.now();
        Map<String, BreakerRow> rows = new HashMap<>();
        engine.copy()
                .latest()
                .rows()
                .forEach(sighting -> rows.put(sighting.row().name(), sighting.at(now)));
        inMemory().forEach(breaker -> rows.put(breaker.name(), breaker.seen().at(now)));
        return new ArrayList<>(rows.values());
    }

    /** Gives leases back, stops the timer, and hands nothing more over. */
    @Override
    public void close() {
        closed = true;
        tick.cancel();
        watch.ifPresent(ChangeWatch::stop);
        inMemory().forEach(CircuitBreaker::stop);
    }
}
