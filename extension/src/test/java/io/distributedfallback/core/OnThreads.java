package io.distributedfallback.core;

import java.time.Duration;
import java.util.concurrent.Executor;

/** Everything on the threads of an executor; no timer ever rings. */
record OnThreads(Executor threads) implements Background {

    @Override
    public Task run(Runnable task) {
        threads.execute(task);
        return () -> {};
    }

    @Override
    public void afterRequest(Runnable task) {
        threads.execute(task);
    }

    @Override
    public Executor callersContext() {
        return Runnable::run;
    }

    @Override
    public Task schedule(Duration delay, Runnable task) {
        return () -> {};
    }
}
