package io.distributedfallback.core;

import io.distributedfallback.Breaker;
import io.distributedfallback.Breakers;
import io.distributedfallback.CopyStatus;
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
import java.util.function.Function;
import java.util.stream.Stream;

/** The breakers of one application, and what they share. Thread-safe. */
public final class CircuitBreakers implements Breakers, AutoCloseable {

    private final ConcurrentHashMap<String, CircuitBreaker> breakers = new ConcurrentHashMap<>();
    private final ConcurrentHashMap<String, KeyedBreakers> keyed = new ConcurrentHashMap<>();
    private final Engine engine;
    private final BackgroundProbes probes;
    private volatile Optional<ChangeWatch> watch = Optional.empty();

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
        SharedFate fate = new SharedFate(surroundings);
        StoreHealth health = new StoreHealth(
                surroundings.clock(),
                surroundings.chance(),
                new StoreWatch(standIn, this::knownRows, this::failuresToHandOver, fate, listener, changes));
        engine = new Engine(
                surroundings,
                application,
                new StoreCopy(shared, health, surroundings),
                new GuardedStore(shared, standIn, health, fate, surroundings),
                new Retirement(shared.orElse(standIn), surroundings),
                changes);
        engine.copy().afterEachRead(this::tellOpen);
        probes = new BackgroundProbes(breakers, keyed, engine);
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
        probes.wakeIfWanted(created);
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
                engine.writes().loss().map(this::shown));
    }

    private CopyStatus.Loss shown(StoreHealth.Loss loss) {
        return new CopyStatus.Loss(
                Duration.ofNanos(engine.now() - loss.sinceNanos()),
                loss.reason().code().name(),
                FailureText.clean(loss.reason().getMessage()));
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
        probes.start();
    }

    /**
     * Has the store read, and a probe that is due sent, for those who wait for a breaker to close and make no calls
     * meanwhile. One that is tried by visitors' calls waits for one. Never waits.
     */
    public void lookAfter(String name) {
        engine.copy().refresh();
        CircuitBreaker breaker = get(name);
        if (breaker.refreshPolicy().recovery() == Recovery.PROBE) {
            breaker.wakeProbe();
        }
    }

    /** Whether a breaker is open, and the next call would be asked for as its trial. */
    public boolean isTrialDue(String name) {
        CircuitBreaker breaker = get(name);
        return breaker.policy().recovery() == Recovery.TRIAL && breaker.seen().isProbeDue(engine.now());
    }

    private int failuresToHandOver() {
        return inMemory()
                .mapToInt(breaker -> breaker.outcomes().failuresToHandOver())
                .sum();
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

    /** Gives leases back, stops the timer, and hands over what the store has not been told. */
    @Override
    public void close() {
        probes.stop();
        watch.ifPresent(ChangeWatch::stop);
        inMemory().forEach(CircuitBreaker::stop);
        inMemory().forEach(breaker -> breaker.outcomes().handOverLast());
    }
}
