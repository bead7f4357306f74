package io.distributedfallback.benchmarks.store;

import io.distributedfallback.core.Background;
import java.time.Duration;
import java.util.concurrent.Executor;
import java.util.concurrent.Future;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.SynchronousQueue;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;

/** The threads of a server: as many as are asked for, and one for what is to come later. */
final class Threads implements Background, AutoCloseable {

    private static final ThreadFactory DAEMONS = task -> {
        Thread thread = new Thread(task, "managed");
        thread.setDaemon(true);
        return thread;
    };

    private final ThreadPoolExecutor executor =
            new ThreadPoolExecutor(0, Integer.MAX_VALUE, 60, TimeUnit.SECONDS, new SynchronousQueue<>(), DAEMONS);
    private final ScheduledThreadPoolExecutor timer = new ScheduledThreadPoolExecutor(1, DAEMONS);

    /** The most that there ever were. */
    int most() {
        return executor.getLargestPoolSize();
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
    public Executor callersContext() {
        return Runnable::run;
    }

    @Override
    public Task schedule(Duration delay, Runnable task) {
        Future<?> future = timer.schedule(task, delay.toNanos(), TimeUnit.NANOSECONDS);
        return () -> future.cancel(true);
    }

    @Override
    public void close() {
        executor.shutdownNow();
        timer.shutdownNow();
    }
}
