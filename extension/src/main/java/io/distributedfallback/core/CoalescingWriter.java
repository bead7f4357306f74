package io.distributedfallback.core;

import io.distributedfallback.RetryAfter;
import java.time.Duration;
import java.util.HashSet;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.BiConsumer;
import java.util.function.Consumer;

/**
 * Writes how the calls of one breaker fared, with one write under way at a time.
 *
 * <ol>
 *   <li>A failure that finds no write under way sets out at once, on a managed thread; its caller waits for it.
 *   <li>One that finds a write under way joins what the next one will carry; its caller waits for that: two round trips at
 *       most, and never longer than {@link Timings#writeTimeout()}, if
 *       this instance does not stand still ({@link Patience}). So a storm costs as many writes as there is time for.
 *   <li>A success joins if it has something to set back, in its place among the failures; its caller does not wait. If it
 *       is wanted for a window alone, it waits for the next failure, or for a read of the store, a few times in a window.
 *   <li>What a write carried in vain is kept, and goes with the first one after the store is back. Meanwhile the stand-in
 *       gets all that arrives, and that is kept as well. What is older than {@link Timings#maxAge()} is dropped: an outage
 *       that is over shall open nothing. But what opened the breaker of the stand-in is as old as the last probe that
 *       failed there, and forgotten when that closes.
 * </ol>
 *
 * A write that takes longer than the timeout makes the store lost, and stands in the way of none after it. Thread-safe.
 */
final class CoalescingWriter {

    private final CircuitBreaker breaker;
    private final Engine engine;
    private final Delivery delivery;
    private final Runnable afterRead = this::afterRead;

    /** Guarded by this, as is all below. */
    private final Outbox outbox;

    /** Carries one load after the other; null if none is under way. */
    private Carrier carrier;

    /** Loads that have set out and not come to an end, those of carriers that were given up among them. */
    private final Set<Load> onTheirWay = new HashSet<>();

    /** How many loads have come to an end; by that a caller sees that something moves. */
    private int landings;

    private final WindowPace windowPace;

    private volatile boolean idle = true;

    CoalescingWriter(CircuitBreaker breaker, Engine engine) {
        this.breaker = breaker;
        this.engine = engine;
        this.delivery = new Delivery(breaker, engine);
        long maxAgeNanos = engine.surroundings().timings().maxAge().toNanos();
        this.outbox = new Outbox(maxAgeNanos, engine.writes().hasShared());
        this.windowPace = new WindowPace(maxAgeNanos, engine.now());
    }

    /** Whether nothing waits, nothing is under way and nothing is kept: there is nothing for a success to come after. */
    boolean isIdle() {
        return idle;
    }

    /**
     * Has failures written.
     *
     * @param beganNanos when the last of the calls began
     */
    Written fail(Failures failures, long beganNanos) {
        return tell(load -> load.add(failures, beganNanos, engine.now()));
    }

    /** Sees to it that a success comes in its place; does not wait. */
    void succeed() {
        Sighting seen = breaker.seen();
        if (idle && !seen.wantsSuccesses(engine.now())) {
            return;
        }
        boolean resets = delivery.mayReset(seen);
        synchronized (this) {
            boolean comesAfterFailures = carrier != null || outbox.hasFailures();
            if (engine.writes().reachesShared() && !resets && !comesAfterFailures) {
                outbox.waiting().addSuccess(engine.now());
                rest();
                return;
            }
        }
        tell(load -> load.addSuccess(engine.now()));
    }

    /** Has the provider left alone for a while. */
    Written pause(RetryAfter asked, Failures failure) {
        Duration longest = breaker.policy().maxCooldown();
        return tell(load -> load.add(asked, longest, failure, engine.now()));
    }

    private Written tell(Consumer<Load> what) {
        int epoch = engine.writes().epoch();
        if (!engine.writes().isShared(epoch)) {
            toStandIn(what, epoch);
            return Written.NOTHING;
        }
        Load joined;
        int before;
        synchronized (this) {
            joined = outbox.waiting();
            before = landings;
            what.accept(joined);
            setIdle(false);
        }
        setOut();
        return new Written(
                joined.landed(),
                engine.surroundings().timings().writeTimeout(),
                engine.surroundings().clock(),
                () -> overdueSince(before));
    }

    private void toStandIn(Consumer<Load> what, int epoch) {
        Load load;
        synchronized (this) {
            what.accept(outbox.waiting());
            load = outbox.take(epoch, engine.now());
        }
        delivery.tellStandIn(load);
        land(load, Load::passTo).wake();
    }

    /** Unless a carrier is under way: that one comes back for whatever waits. */
    private void setOut() {
        Carrier starting = new Carrier(this, delivery, engine);
        synchronized (this) {
            if (carrier != null) {
                return;
            }
            carrier = starting;
            setIdle(false);
        }
        try {
            engine.background().run(starting);
        } catch (RejectedExecutionException e) {
            giveUp(starting, StoreException.noThread(e));
        }
    }

    /** The store has answered: what waited for that sets out. */
    private void afterRead() {
        long now = engine.now();
        synchronized (this) {
            if (outbox.canWait() && !delivery.isInDoubt() && !windowPace.isDue(now)) {
                rest();
                return;
            }
        }
        setOut();
    }

    /** Somebody has waited in vain. If nothing at all has come to an end meanwhile, the write under way is stuck. */
    private void overdueSince(int before) {
        Optional<Carrier> stuck;
        synchronized (this) {
            stuck = landings == before ? Optional.ofNullable(carrier) : Optional.empty();
        }
        stuck.ifPresent(late -> giveUp(late, engine.writes().overdue()));
    }

    /** The store is lost. What is on its way may yet get there; the stand-in has it now, and what waits. */
    private void giveUp(Carrier stuck, StoreException reason) {
        dismiss(stuck).ifPresent(left -> {
            engine.writes().lost(stuck.sinceNanos(), reason);
            stuck.load().ifPresent(delivery::tellStandIn);
            delivery.tellStandIn(left);
            land(left, Load::passTo).wake();
        });
    }

    /** The application stops before it has set out. */
    void takenBack(Carrier late) {
        dismiss(late).ifPresent(left -> land(left, Load::passTo).wake());
    }

    /** Whoever is late comes no more. What waits for it; empty if another one has taken its place. */
    private synchronized Optional<Load> dismiss(Carrier late) {
        if (carrier != late) {
            return Optional.empty();
        }
        carrier = null;
        return Optional.of(outbox.take(engine.writes().epoch(), engine.now()));
    }

    /** A load has come to an end. What is left of it is kept for the shared store. It is for the caller to wake who waits. */
    Load land(Load load, BiConsumer<Load, Backlog> place) {
        Sighting seen = breaker.seen();
        synchronized (this) {
            landings++;
            onTheirWay.remove(load);
            outbox.keepRestOf(load, place, seen, engine.writes().epoch(), engine.now());
            rest();
        }
        if (engine.writes().reachesShared() || !engine.writes().hasShared()) {
            engine.retirement().afterWrite();
        }
        return load;
    }

    /** A probe that the stand-in had granted has ended, and left this row. */
    synchronized void probedAlone(ProbeVerdict verdict, Sighting left) {
        outbox.probedAlone(verdict, left, engine.now());
        rest();
    }

    /** How many failures the shared store gets if it is back now. */
    synchronized int failuresToHandOver() {
        return outbox.freshFailures(engine.now());
    }

    /** The application stops: what is kept, and what waits, is offered to the store, though that be lost. */
    void handOverLast() {
        if (hasLastWord()) {
            engine.writes().deliverLast(this::deliverLast);
        }
    }

    private synchronized boolean hasLastWord() {
        outbox.forgetOld(breaker.seen(), engine.now());
        return !onTheirWay.isEmpty() || !outbox.canWait() || delivery.isInDoubt();
    }

    private void deliverLast(int epoch) {
        Load load = takeWhenAllHaveLanded(epoch);
        try {
            delivery.deliverToShared(load, epoch);
        } finally {
            land(load, Load::returnTo).wake();
        }
    }

    /** What is on its way has to be back before: it may come in vain, or not be known to have come. */
    private Load takeWhenAllHaveLanded(int epoch) {
        while (true) {
            Load underWay;
            synchronized (this) {
                if (onTheirWay.isEmpty()) {
                    return outbox.takeAll(epoch, engine.now());
                }
                underWay = onTheirWay.iterator().next();
            }
            awaitLanding(underWay);
        }
    }

    private void awaitLanding(Load load) {
        try {
            Void unused = load.landed()
                    .get(engine.surroundings().timings().writeTimeout().toNanos(), TimeUnit.NANOSECONDS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw StoreException.of(e);
        } catch (TimeoutException | ExecutionException e) {
            throw engine.writes().overdue();
        }
    }

    /** Whoever waits with no carrier waits for the next answer of the store. */
    private void rest() {
        setIdle(carrier == null && outbox.isEmpty() && !delivery.isInDoubt());
        if (!idle && carrier == null) {
            engine.copy().afterNextRead(afterRead);
        }
    }

    private void setIdle(boolean now) {
        if (idle != now) {
            idle = now;
            breaker.review();
        }
    }

    /** Hands what waits to a carrier. False, and the end of it, if nothing does or another one has taken its place. */
    boolean handOver(Carrier asking) {
        long now = engine.now();
        Sighting seen = breaker.seen();
        synchronized (this) {
            if (carrier != asking) {
                return false;
            }
            outbox.forgetOld(seen, now);
            if (!seen.wantsSuccesses(now)) {
                outbox.forgetSuccesses();
            }
            boolean settlesDoubts = delivery.isInDoubt() && !asking.hasSetOut();
            int epoch = engine.writes().epoch();
            boolean hasNothing =
                    outbox.hasNothingFor(epoch) && !(engine.writes().isShared(epoch) && settlesDoubts);
            boolean isForWindowAlone = outbox.canWait() && !settlesDoubts && !delivery.mayReset(seen);
            if (hasNothing || (isForWindowAlone && !windowPace.isDue(now))) {
                carrier = null;
                rest();
                return false;
            }
            if (isForWindowAlone) {
                windowPace.setOut(breaker.policy(), now);
            }
            Load load = outbox.takeAll(epoch, now);
            onTheirWay.add(load);
            asking.setOut(load, now);
            return true;
        }
    }
}
