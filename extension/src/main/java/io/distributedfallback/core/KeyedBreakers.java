package io.distributedfallback.core;

import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.Stream;

/**
 * The breakers of the keys of one breaker, as many as its policy has room for in this instance. Thread-safe.
 *
 * <ol>
 *   <li>A call looks its key up, and marks it as used if it is not marked.
 *   <li>A new key is given a breaker if there is room; else its calls share the breaker of those without a key.
 *   <li>A sweep, which a new key sets off but no sooner than a minute after the one before, takes the marks off. What has
 *       none since the last one, and holds nothing that the store would not give back, is dropped.
 * </ol>
 *
 * A breaker that was dropped may still be in somebody's hands: a call that has been on its way for longer than that. What
 * that writes goes to the row as ever, so it is not lost; and the row that it leaves is shown to whoever has taken its
 * place, or it takes its place again itself.
 */
public final class KeyedBreakers {

    private static final long BETWEEN_SWEEPS_NANOS = Duration.ofMinutes(1).toNanos();

    private final CircuitBreaker base;
    private final Engine engine;
    private final ConcurrentHashMap<String, Held> held = new ConcurrentHashMap<>();
    private final AtomicInteger count = new AtomicInteger();
    private final AtomicLong sweptNanos;
    private final AtomicLong toldNanos;

    KeyedBreakers(CircuitBreaker base, Engine engine) {
        this.base = base;
        this.engine = engine;
        long now = engine.now();
        this.sweptNanos = new AtomicLong(now);
        this.toldNanos = new AtomicLong(now - BETWEEN_SWEEPS_NANOS);
    }

    /** The breaker of a key; that without a key for null, for a blank one, and where there is no room. */
    public CircuitBreaker of(Object key) {
        String text = KeyedName.textOf(key);
        if (text.isEmpty()) {
            return base;
        }
        String handle = KeyedName.handleOf(text);
        Held found = held.get(handle);
        return found != null && found.use() ? found.breaker : ofNew(handle, text);
    }

    private CircuitBreaker ofNew(String handle, String text) {
        sweepIfDue();
        int most = engine.policyOf(base.name()).maxKeys();
        while (true) {
            Held found = count.get() < most
                    ? held.computeIfAbsent(handle, missing -> takeRoom(most) ? new Held(handle, text) : null)
                    : held.get(handle);
            if (found == null) {
                tellOfNoRoom(most);
                return base;
            }
            if (found.use()) {
                return found.breaker;
            }
        }
    }

    private boolean takeRoom(int most) {
        return count.getAndUpdate(taken -> taken < most ? taken + 1 : taken) < most;
    }

    private void tellOfNoRoom(int most) {
        if (isFirstOfAMinute(toldNanos)) {
            engine.listener().tooManyKeys(base.name(), most);
        }
    }

    private void sweepIfDue() {
        if (isFirstOfAMinute(sweptNanos)) {
            try {
                engine.background().run(this::sweep);
            } catch (RejectedExecutionException e) {
                // It is a moment's work, and with no thread to be had there would never be room.
                sweep();
            }
        }
    }

    private boolean isFirstOfAMinute(AtomicLong last) {
        long now = engine.now();
        long before = last.get();
        return now - before >= BETWEEN_SWEEPS_NANOS && last.compareAndSet(before, now);
    }

    private void sweep() {
        if (StoreHealth.isOfStandIn(engine.writes().epoch())) {
            // What the stand-in knows comes to a new breaker by no read.
            return;
        }
        held.forEach((handle, candidate) -> {
            if (candidate.used) {
                candidate.used = false;
            } else if (candidate.breaker.holdsNothing()) {
                held.computeIfPresent(handle, (key, present) -> present == candidate ? present.drop() : present);
            }
        });
    }

    /** All that are in memory. */
    Stream<CircuitBreaker> all() {
        return held.values().stream().map(each -> each.breaker);
    }

    /** A breaker, and whether it is in use. */
    private final class Held {

        private final String handle;
        private final CircuitBreaker breaker;
        private volatile boolean used;
        private volatile boolean dropped;

        Held(String handle, String text) {
            this.handle = handle;
            this.breaker = new CircuitBreaker(
                    KeyedName.of(base.name(), handle), base.definition(), Optional.of(keyFor(text)), this::hear);
        }

        /** What a probe is given. What nobody would take for a key of his need not be kept at its full length. */
        private String keyFor(String text) {
            return text.length() <= BreakerName.LONGEST ? text : handle;
        }

        /** Marks it as used; false if it has been dropped meanwhile. The mark is looked at again before it is dropped. */
        boolean use() {
            if (!used) {
                used = true;
            }
            return !dropped;
        }

        /** Null if it is dropped. */
        Held drop() {
            dropped = true;
            // Whoever marks it, or has it see a row, after this finds it dropped, and looks for what is in its place.
            if (used || !breaker.holdsNothing()) {
                dropped = false;
                return this;
            }
            count.decrementAndGet();
            return null;
        }

        /** A write of this breaker has left a row. */
        private void hear(Sighting written) {
            if (dropped) {
                Held inPlace = held.compute(handle, (key, present) -> present == null ? takeBack() : present);
                if (inPlace != this) {
                    inPlace.breaker.see(written);
                }
            }
        }

        private Held takeBack() {
            count.incrementAndGet();
            used = true;
            dropped = false;
            return this;
        }
    }
}
