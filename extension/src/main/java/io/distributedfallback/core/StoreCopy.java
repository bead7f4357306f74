package io.distributedfallback.core;

import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Consumer;

/**
 * The instance's copy of the store: all rows that matter, read by one statement.
 *
 * <ol>
 *   <li>Up to {@link Timings#fresh()} old, it is used as it is.
 *   <li>Up to {@link Timings#maxAge()}, it is used, and a read is handed over for after the request.
 *   <li>Older, or not there yet: the caller waits for a read, {@link Timings#readTimeout()} at most, unless this instance
 *       stands still ({@link Patience}), and then uses what
 *       there is.
 * </ol>
 *
 * One read is under way at a time, shared by whoever waits. The first read of an instance may take longer than others,
 * because it opens the way to the store as well: it is not given up, and the store not taken for lost, before {@value
 * #FIRST_READ_SECONDS} s have passed. But nobody waits for it once a caller has waited in vain. While the store is left
 * alone after a failure nobody waits and nothing is read. A store that was lost is not read before it can be written: one
 * that can only be read would be lost again with the next failure, and each time take with it what the stand-in knows. For
 * the same reason one that was lost is read on no thread but those that writes have: a timer has threads of its own, and
 * would find it while nothing can be written because the executor is full.
 */
final class StoreCopy {

    private static final long FIRST_READ_SECONDS = 10;

    private final Optional<BreakerStore> shared;
    private final StoreHealth health;
    private final Background background;
    private final MonotonicClock clock;
    private final Timings timings;
    private final long freshNanos;
    private final long maxAgeNanos;
    private final Duration firstRead;

    private final Pending refresh = new Pending();
    private final AtomicBoolean finding = new AtomicBoolean();
    private final Set<Runnable> afterNextRead = ConcurrentHashMap.newKeySet();

    private volatile Consumer<Snapshot> afterEachRead = read -> {};
    private volatile Snapshot latest;
    private Flight flight;

    StoreCopy(Optional<BreakerStore> shared, StoreHealth health, Surroundings surroundings) {
        this.shared = shared;
        this.health = health;
        this.background = surroundings.background();
        this.clock = surroundings.clock();
        this.timings = surroundings.timings();
        this.freshNanos = timings.fresh().toNanos();
        this.maxAgeNanos = timings.maxAge().toNanos();
        this.firstRead = longer(timings.readTimeout(), Duration.ofSeconds(FIRST_READ_SECONDS));
        this.latest = Snapshot.none(clock.nanos());
    }

    Snapshot latest() {
        return latest;
    }

    /**
     * Sees to the age of the copy as described above. Called once a call, before routing.
     *
     * @return the time now, which is later if the caller had to wait
     */
    long freshen(long now) {
        Snapshot copy = latest;
        if (copy.isYoungerThan(freshNanos, now) || shared.isEmpty() || !health.mayAsk()) {
            return now;
        }
        if (copy.isYoungerThan(maxAgeNanos, now)) {
            refreshAfterRequest(now);
            return now;
        }
        awaitRead();
        return clock.nanos();
    }

    /**
     * Reads now, on the caller's thread, unless a read is under way or the copy is fresh: whatever many breakers want to know,
     * an instance reads once in that time. A store that was lost is read on another thread, a little later. For background
     * threads, timers' among them.
     */
    void refresh() {
        if (health.loss().isEmpty()) {
            refreshHere();
            return;
        }
        long now = clock.nanos();
        if (!health.mayAsk() || !finding.compareAndSet(false, true)) {
            return;
        }
        try {
            background.run(() -> {
                finding.set(false);
                refreshHere();
            });
        } catch (RejectedExecutionException e) {
            finding.set(false);
            health.failed(now, StoreException.noThread(e));
        }
    }

    private void refreshAfterwards() {
        refresh.release();
        refreshHere();
    }

    private void refreshHere() {
        if (shared.isEmpty() || !health.mayAsk() || latest.isYoungerThan(freshNanos, clock.nanos())) {
            return;
        }
        giveUpOverdue();
        Optional<Flight> own;
        synchronized (this) {
            own = flight != null || !health.mayAsk() ? Optional.empty() : Optional.of(takeOff());
        }
        own.ifPresent(this::read);
    }

    /**
     * Reads now, on the caller's thread, even if the copy is fresh; and beside a read under way, which may have been asked
     * before the change that is to be seen.
     *
     * @return whether it was answered; it is not even asked while the store is left alone
     */
    boolean readAnew() {
        if (shared.isEmpty() || !health.mayAsk()) {
            return false;
        }
        Flight own = takeOff();
        read(own);
        return !own.landed.isCompletedExceptionally();
    }

    /** Has something done, once, when a read has been answered. It must be quick. */
    void afterNextRead(Runnable task) {
        afterNextRead.add(task);
    }

    /** Has somebody told of each read that has been answered. It must be quick, and not throw. */
    void afterEachRead(Consumer<Snapshot> told) {
        afterEachRead = told;
    }

    void refreshAfterRequest(long now) {
        if (!refresh.claim(now)) {
            return;
        }
        try {
            background.afterRequest(this::refreshAfterwards);
        } catch (RejectedExecutionException e) {
            refresh.release();
            health.failed(now, StoreException.noThread(e));
        }
    }

    /** Waits for a read, as a call does, unless the copy is fresh. For whoever looks on. */
    void awaitFresh() {
        if (shared.isPresent() && health.mayAsk() && !latest.isYoungerThan(freshNanos, clock.nanos())) {
            awaitRead();
        }
    }

    private void awaitRead() {
        Flight awaited;
        try {
            giveUpOverdue();
            awaited = join();
        } catch (RejectedExecutionException e) {
            health.failed(clock.nanos(), StoreException.noThread(e));
            return;
        }
        if (awaited == null || awaited.waitedInVain) {
            return;
        }
        try {
            Void unused = Patience.await(awaited.landed, timings.readTimeout(), clock);
        } catch (TimeoutException e) {
            awaited.waitedInVain = true;
            if (!awaited.first) {
                giveUp(awaited);
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        } catch (ExecutionException e) {
            // The reader has told the store's health; the caller goes on with what there is.
        }
    }

    /** The read under way, or a new one; null if one has just been given up, for then the store is left alone. */
    private synchronized Flight join() {
        if (flight != null || !health.mayAsk()) {
            return flight;
        }
        Flight own = takeOff();
        try {
            background.run(() -> read(own));
        } catch (RejectedExecutionException e) {
            flight = null;
            throw e;
        }
        return own;
    }

    /** Not while anything is locked: whoever is told of the loss may take a while. */
    private void giveUpOverdue() {
        Flight overdue;
        synchronized (this) {
            boolean isOverdue = flight != null && flight.checkOverdue(limitOf(flight), clock.nanos());
            overdue = isOverdue ? flight : null;
        }
        if (overdue != null) {
            giveUp(overdue);
        }
    }

    private Duration limitOf(Flight read) {
        return read.first ? firstRead : timings.readTimeout();
    }

    private static Duration longer(Duration one, Duration other) {
        return one.compareTo(other) > 0 ? one : other;
    }

    private synchronized Flight takeOff() {
        flight = new Flight(clock.nanos(), !latest.wasRead());
        return flight;
    }

    /** A read that takes too long no longer stands in the way of the next one; if it ends after all, it is welcome. */
    private void giveUp(Flight overdue) {
        synchronized (this) {
            if (flight == overdue) {
                flight = null;
            }
        }
        health.failed(
                overdue.askedNanos,
                StoreException.overdue(
                        overdue.first ? "the first read" : "a read",
                        limitOf(overdue),
                        "distributed-fallback.store.read-timeout"));
    }

    private void read(Flight own) {
        try {
            if (health.loss().isPresent()) {
                shared.orElseThrow().requireWritable();
            }
            publish(shared.orElseThrow().readAll(), own.askedNanos);
            leave(own);
            own.landed.complete(null);
        } catch (RuntimeException | Error e) {
            StoreException reason = StoreException.of(e);
            health.failed(own.askedNanos, reason);
            leave(own);
            own.landed.completeExceptionally(reason);
        }
    }

    /** Before anybody hears of the end: a read that has been answered is not one that takes too long. */
    private synchronized void leave(Flight ended) {
        if (flight == ended) {
            flight = null;
        }
    }

    private void publish(List<BreakerRow> rows, long askedNanos) {
        Snapshot snapshot = Snapshot.of(rows, askedNanos, clock.nanos(), health.answered(askedNanos));
        synchronized (this) {
            if (snapshot.isNewerThan(latest)) {
                latest = snapshot;
            }
        }
        afterEachRead.accept(snapshot);
        // Of two reads that are answered together one takes a task.
        Set.copyOf(afterNextRead).stream().filter(afterNextRead::remove).forEach(Runnable::run);
    }
}
