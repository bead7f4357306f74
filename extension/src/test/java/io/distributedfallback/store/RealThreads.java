package io.distributedfallback.store;

import io.distributedfallback.core.Background;
import java.time.Duration;
import java.util.concurrent.Executor;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;

/** Real threads and real time, as a server has them. */
final class RealThreads implements Background, AutoCloseable {

    private final ExecutorService executor;
    private final ScheduledExecutorService timer = Executors.newSingleThreadScheduledExecutor();

    RealThreads() {
        this(Executors.newCachedThreadPool());
    }

    RealThreads(ExecutorService executor) {
        this.executor = executor;
    }

    @Override
    public Executor callersContext() {
        return Runnable::run;
    }

    @Override
    public Task run(Runnable task) {
        Future<?> future = executor.submit(task);
        return () -> future.cancel(true);
    }

    @Override
    public void afterRequest(Runnable task) {
        executor.execute(task);
    }

    @Override
    public Task schedule(Duration delay, Runnable task) {
        Future<?> future = timer.schedule(() -> executor.execute(task), delay.toNanos(), TimeUnit.NANOSECONDS);
        return () -> future.cancel(true);
    }

    /** Interrupts what runs, and says how long it took to end. */
    Duration stop() {
        long begun = System.nanoTime();
        timer.shutdownNow();
        executor.shutdownNow();
        try {
            if (!executor.awaitTermination(30, TimeUnit.SECONDS)) {
                throw new IllegalStateException("a task does not end");
            }
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
        return Duration.ofNanos(System.nanoTime() - begun);
    }

    @Override
    public void close() {
        stop();
    }
}
