package io.distributedfallback.core;

import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeoutException;
import java.util.function.BiConsumer;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.IntConsumer;
import java.util.function.Supplier;

/**
 * The way of writes to the shared store, or to a stand-in in memory while that is lost. The stand-in starts from what the
 * instance knew last, and has what is written until a read brings the store back.
 *
 * <p>A single change, of a lease or a verdict, is made by {@link #write(Function, Consumer)}: on a managed thread, which
 * has none of the caller's transactions, while the caller waits for {@link Timings#writeTimeout()} at most, if this
 * instance does not stand still ({@link Patience}). If that takes
 * too long or fails, the store is lost and the stand-in gets the change. One that was given up and succeeds after all has
 * its effect there, and its transition is told. How calls fared comes by way of {@link Delivery}, on a thread of its own.
 */
final class GuardedStore {

    private final Optional<BreakerStore> shared;
    private final BreakerStore standIn;
    private final StoreHealth health;
    private final SharedFate fate;
    private final Surroundings surroundings;
    private final LastWrites last;

    /**
     * @param shared empty if the instance keeps its breakers to itself
     * @param standIn used while there is no shared store to be had
     * @param fate notices breakers that guard the shared store
     */
    GuardedStore(
            Optional<BreakerStore> shared,
            BreakerStore standIn,
            StoreHealth health,
            SharedFate fate,
            Surroundings surroundings) {
        this.shared = shared;
        this.standIn = standIn;
        this.health = health;
        this.fate = fate;
        this.surroundings = surroundings;
        this.last = new LastWrites(health, surroundings);
    }

    /**
     * Makes one change. Never throws.
     *
     * @param operation the change
     * @param seen gets the row that a change left; before this returns, unless the change comes too late for that
     * @return the row that the change left; empty if it was not made, as far as is known now
     */
    Optional<Sighting> write(Function<BreakerStore, Optional<Change>> operation, Consumer<Sighting> seen) {
        return write(operation, seen, (store, late) -> {});
    }

    /**
     * As {@link #write(Function, Consumer)}, for a change that binds its caller.
     *
     * @param tooLate gets, on a managed thread, the shared store and a change of it that its caller did not wait for
     */
    Optional<Sighting> write(
            Function<BreakerStore, Optional<Change>> operation,
            Consumer<Sighting> seen,
            BiConsumer<BreakerStore, Sighting> tooLate) {
        int epoch = health.epoch();
        if (shared.isEmpty() || StoreHealth.isOfStandIn(epoch)) {
            return toStandIn(operation, seen);
        }
        long asked = surroundings.clock().nanos();
        CompletableFuture<Optional<Sighting>> made = new CompletableFuture<>();
        try {
            surroundings.background().run(() -> {
                try {
                    Optional<Sighting> change = perform(shared.get(), epoch, operation, seen);
                    if (!made.complete(change)) {
                        change.ifPresent(late -> tooLate.accept(shared.get(), late));
                    }
                } catch (RuntimeException | Error e) {
                    made.completeExceptionally(StoreException.of(e));
                }
            });
            return Patience.await(made, surroundings.timings().writeTimeout(), surroundings.clock());
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            if (made.complete(Optional.empty()) || !made.isCompletedExceptionally()) {
                return made.join();
            }
            health.failed(
                    asked,
                    StoreException.of(made.handle((change, thrown) -> thrown).join()));
        } catch (TimeoutException e) {
            if (!made.complete(Optional.empty()) && !made.isCompletedExceptionally()) {
                return made.join();
            }
            health.failed(asked, overdue());
        } catch (RejectedExecutionException e) {
            health.failed(asked, StoreException.noThread(e));
        } catch (ExecutionException e) {
            health.failed(asked, StoreException.of(e.getCause()));
        }
        return toStandIn(operation, seen);
    }

    /**
     * Carries out an operator's command in the shared store and nowhere else; in the memory of an instance that keeps its
     * breakers to itself. The caller waits for {@link Timings#writeTimeout()} at most. One that was given up and succeeds
     * after all has its effect there, and is told.
     *
     * @param seen gets the row that the command left
     * @throws StoreException if it is not known to have been carried out
     */
    void command(Function<BreakerStore, Change> operation, Consumer<Sighting> seen) {
        int epoch = health.epoch();
        Function<BreakerStore, Optional<Change>> change = operation.andThen(Optional::of);
        if (shared.isEmpty()) {
            Optional<Sighting> unused = toStandIn(change, seen);
        } else if (StoreHealth.isOfStandIn(epoch)) {
            throw StoreException.away();
        } else {
            await(() -> perform(shared.get(), epoch, change, seen));
        }
    }

    /**
     * Asks the shared store, or the memory where there is none, on a managed thread.
     *
     * @throws StoreException whatever goes wrong
     */
    <T> T ask(Function<BreakerStore, T> question) {
        return shared.isEmpty() ? question.apply(standIn) : await(() -> question.apply(shared.get()));
    }

    private <T> T await(Supplier<T> work) {
        return Errand.await(
                work, surroundings.background()::run, surroundings.timings().writeTimeout());
    }

    /** Makes one change, as the last word of an application that stops: see {@link LastWrites}. Never throws. */
    void writeLast(Function<BreakerStore, Optional<Change>> operation, Consumer<Sighting> seen) {
        if (shared.isEmpty()) {
            Optional<Sighting> unused = toStandIn(operation, seen);
            return;
        }
        int epoch = epochOfShared();
        last.make(() -> perform(shared.get(), epoch, operation, seen));
    }

    /**
     * Has something brought to the shared store, as the last word of an application that stops: see {@link LastWrites}.
     * Nothing if there is none. Never throws.
     *
     * @param delivery gets, on another thread, the epoch in which it was decided to ask the shared store
     */
    void deliverLast(IntConsumer delivery) {
        int epoch = epochOfShared();
        if (shared.isPresent()) {
            last.make(() -> delivery.accept(epoch));
        }
    }

    /** The current epoch, or the one that the loss of the shared store has ended. */
    private int epochOfShared() {
        int epoch = health.epoch();
        return StoreHealth.isOfStandIn(epoch) ? epoch - 1 : epoch;
    }

    /** Which store a write goes to now; see {@link Sighting#epoch()}. */
    int epoch() {
        return health.epoch();
    }

    boolean hasShared() {
        return shared.isPresent();
    }

    /** Empty while the store that all go by answers, and where there is none but the one in memory. */
    Optional<StoreHealth.Loss> loss() {
        return shared.isEmpty() ? Optional.empty() : health.loss();
    }

    /** A call or a probe of a breaker has failed, maybe for the reason for which the shared store is lost. */
    void callFailed(String breaker, Throwable thrown) {
        if (shared.isPresent()) {
            fate.callFailed(KeyedName.baseOf(breaker), thrown, health.loss());
        }
    }

    /** Whether a write goes to the shared store now, and not to the stand-in. */
    boolean reachesShared() {
        return isShared(health.epoch());
    }

    /** Whether in that epoch it does. */
    boolean isShared(int epoch) {
        return shared.isPresent() && !StoreHealth.isOfStandIn(epoch);
    }

    /**
     * Makes a change of the shared store, on this thread, however long that takes.
     *
     * @param epoch the one in which it was decided to ask the shared store
     * @return the row that the change left; empty if there was nothing to change
     * @throws StoreException whatever goes wrong
     */
    Optional<Sighting> toShared(
            int epoch, Function<BreakerStore, Optional<Change>> operation, Consumer<Sighting> seen) {
        return perform(shared.orElseThrow(), epoch, operation, seen);
    }

    <T> T askShared(Function<BreakerStore, T> question) {
        return question.apply(shared.orElseThrow());
    }

    /** Something that was asked at that moment did not get through. */
    void lost(long askedNanos, StoreException reason) {
        health.failed(askedNanos, reason);
    }

    /** Makes a change of the stand-in. */
    Optional<Sighting> toStandIn(Function<BreakerStore, Optional<Change>> operation, Consumer<Sighting> seen) {
        int epoch = health.epoch();
        // If the shared store is back meanwhile, this is still the word of the stand-in, and older than any of that.
        return perform(standIn, isShared(epoch) ? epoch - 1 : epoch, operation, seen);
    }

    /**
     * @param epoch the one in which the change was sent to this store: it may begin in a later one, and what it then says
     *     is still the word of this store and of no other
     */
    private Optional<Sighting> perform(
            BreakerStore store,
            int epoch,
            Function<BreakerStore, Optional<Change>> operation,
            Consumer<Sighting> seen) {
        long asked = surroundings.clock().nanos();
        Optional<Change> change = operation.apply(store);
        long received = surroundings.clock().nanos();
        Optional<Sighting> sighting = change.map(made -> new Sighting(made.row(), asked, received, epoch));
        sighting.ifPresent(seen);
        change.flatMap(Change::transition).ifPresent(made -> {
            surroundings.listener().transitioned(made);
            change.get()
                    .row()
                    .recovery()
                    .rampUp()
                    .ifPresent(ramp -> surroundings.listener().rampsUp(made.breaker(), ramp.length()));
        });
        change.flatMap(Change::commanded).ifPresent(surroundings.listener()::commanded);
        return sighting;
    }

    StoreException overdue() {
        return Errand.overdue(surroundings.timings().writeTimeout());
    }
}
