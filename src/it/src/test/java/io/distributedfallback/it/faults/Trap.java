package io.distributedfallback.it.faults;

import java.time.Duration;
import java.util.OptionalInt;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicBoolean;

/** Waits at a step for the first instance that comes there, and kills it. */
final class Trap {

    private static final String PASS = "\0\0\0\4PASS";
    private static final int PASSES_THAT_CLOSE = 3;

    private final Step step;
    private final AtomicBoolean sprung = new AtomicBoolean();
    private final CompletableFuture<Integer> caught = new CompletableFuture<>();
    private int passes;

    Trap(Step step) {
        this.step = step;
    }

    Step step() {
        return step;
    }

    /** Whether the request is the statement that it waits for. Of verdicts it is the third pass in a row: the one that closes. */
    synchronized boolean knows(String request) {
        if (!step.statement().isIn(request)) {
            return false;
        }
        if (step.statement() != Step.Statement.VERDICT) {
            return true;
        }
        passes = request.contains(PASS) ? passes + 1 : 0;
        return passes == PASSES_THAT_CLOSE;
    }

    /** Whether it is the first time. */
    boolean spring() {
        return sprung.compareAndSet(false, true);
    }

    /** From now on it catches nobody. One that has sprung in this very moment is waited for: its instance dies. */
    void takeUp(Duration patience) throws InterruptedException {
        if (!spring()) {
            OptionalInt unused = caught(patience);
        }
    }

    boolean isSprung() {
        return sprung.get();
    }

    @Override
    public String toString() {
        return step.toString();
    }

    /** That the instance is dead. */
    void caught(int place) {
        caught.complete(place);
    }

    /** Whom it has caught, after that long at most. */
    OptionalInt caught(Duration patience) throws InterruptedException {
        try {
            return OptionalInt.of(caught.get(patience.toNanos(), TimeUnit.NANOSECONDS));
        } catch (TimeoutException nobody) {
            return OptionalInt.empty();
        } catch (ExecutionException e) {
            throw new IllegalStateException(e);
        }
    }
}
