package io.distributedfallback.limit;

import io.distributedfallback.core.Background;
import io.distributedfallback.core.MonotonicClock;
import java.time.Duration;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;

/** Time that stands still until it is moved, and tasks that run at once unless they are held back. */
final class StoppedTime implements MonotonicClock, Background {

    private final Queue<Runnable> held = new ConcurrentLinkedQueue<>();
    private volatile long nanos = Long.MAX_VALUE - Duration.ofSeconds(3).toNanos();
    boolean holding;
    boolean rejecting;

    @Override
    public long nanos() {
        return nanos;
    }

    /** Starts close to the overflow of the clock, so that it happens in every longer test. */
    @SuppressWarnings("NonAtomicVolatileUpdate") // the test alone moves it
    void pass(Duration time) {
        nanos += time.toNanos();
    }

    void passMillis(long millis) {
        pass(Duration.ofMillis(millis));
    }

    /** What was held runs now. */
    void release() {
        holding = false;
        while (!held.isEmpty()) {
            held.remove().run();
        }
    }

    int heldTasks() {
        return held.size();
    }

    @Override
    public Task run(Runnable task) {
        if (rejecting) {
            throw new RejectedExecutionException("the queue is full");
        }
        if (holding) {
            held.add(task);
        } else {
            task.run();
        }
        return () -> {};
    }

    @Override
    public void afterRequest(Runnable task) {
        task.run();
    }

    @Override
    public Executor callersContext() {
        return Runnable::run;
    }

    @Override
    public Task schedule(Duration delay, Runnable task) {
        throw new AssertionError("nothing of a limit is done but for a call");
    }
}
