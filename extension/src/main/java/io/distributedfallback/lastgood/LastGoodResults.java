package io.distributedfallback.lastgood;

import io.distributedfallback.core.MonotonicClock;
import io.distributedfallback.lastgood.BoundedResults.Kept;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Consumer;

/**
 * The last good result of one method for each of its arguments, on one instance. Of two calls with the same arguments the
 * one that ends last has the say. Thread-safe. Nothing here ever fails a call, whatever the arguments do when they are
 * compared.
 */
public final class LastGoodResults {

    private final BoundedResults results;
    private final long maxAgeNanos;
    private final int[] positions;
    private final MonotonicClock clock;
    private final Consumer<Throwable> trouble;
    private final AtomicBoolean told = new AtomicBoolean();

    /**
     * With nothing in it.
     *
     * @param room how much and how long
     * @param positions of the parameters that tell results apart, from 0
     * @param trouble is told, once, if arguments cannot be compared
     */
    public LastGoodResults(Room room, int[] positions, MonotonicClock clock, Consumer<Throwable> trouble) {
        this.results = new BoundedResults(room.maxEntries(), room.maxAge(), clock);
        this.maxAgeNanos = room.maxAge().toNanos();
        this.positions = positions.clone();
        this.clock = clock;
        this.trouble = trouble;
    }

    /**
     * How much is kept and for how long.
     *
     * @param maxEntries the most results
     * @param maxAge how old a result may be to be an answer
     */
    public record Room(int maxEntries, Duration maxAge) {}

    /**
     * A result that was kept.
     *
     * @param value what was returned, null as well
     * @param age how long ago
     */
    public record Result(Object value, Duration age) {}

    /** What a result of these arguments is kept under. Made before the call, which may change its arguments. */
    public ResultKey keyOf(Object[] arguments) {
        try {
            return ResultKey.of(arguments, positions);
        } catch (RuntimeException | LinkageError | StackOverflowError e) {
            tell(e);
            return ResultKey.NONE;
        }
    }

    /** The primary returned this. */
    public void keep(ResultKey key, Object value) {
        if (!key.isUsable()) {
            return;
        }
        try {
            results.put(key, new Kept(value, clock.nanos()));
        } catch (RuntimeException | LinkageError | StackOverflowError e) {
            tell(e);
        }
    }

    /**
     * The primary returned a stage; what it completes with, if it does, is a good result.
     *
     * @return a stage whose followers are told after the result is kept; that of the primary tells the last one first
     */
    public <T> CompletionStage<T> keepOfStage(ResultKey key, CompletionStage<T> stage) {
        CompletableFuture<T> front = new CompletableFuture<>();
        try {
            stage.whenComplete((value, thrown) -> {
                if (thrown == null) {
                    keep(key, value);
                    front.complete(value);
                } else {
                    front.completeExceptionally(thrown);
                }
            });
        } catch (RuntimeException e) {
            // One that nobody may follow is the caller's all the same, and is not kept.
            return stage;
        }
        CompletableFuture<T> unused = front.whenComplete((value, thrown) -> {
            if (front.isCancelled()) {
                stage.toCompletableFuture().cancel(true);
            }
        });
        return front;
    }

    /** The primary returned a future; what it is asked for, if it has it, is a good result. */
    public <T> Future<T> keepOfFuture(ResultKey key, Future<T> future) {
        if (future instanceof CompletionStage<?> stage) {
            CompletionStage<?> unused = keepOfStage(key, stage);
            return future;
        }
        return new KeepingFuture<>(future, value -> keep(key, value));
    }

    /** The last good result; empty if there is none, or it is too old. */
    public Optional<Result> find(ResultKey key) {
        if (!key.isUsable()) {
            return Optional.empty();
        }
        try {
            Kept kept = results.get(key);
            if (kept == null) {
                return Optional.empty();
            }
            long age = clock.nanos() - kept.atNanos();
            return age <= maxAgeNanos ? Optional.of(new Result(kept.value(), Duration.ofNanos(age))) : Optional.empty();
        } catch (RuntimeException | LinkageError | StackOverflowError e) {
            tell(e);
            return Optional.empty();
        }
    }

    private void tell(Throwable thrown) {
        if (!told.getAndSet(true)) {
            trouble.accept(thrown);
        }
    }
}
