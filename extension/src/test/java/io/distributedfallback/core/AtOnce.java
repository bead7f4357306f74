package io.distributedfallback.core;

import java.time.Duration;
import java.util.concurrent.Executor;

/** Everything at once, on the caller's thread; no timer ever rings. */
public class AtOnce implements Background {

    @Override
    public Task run(Runnable task) {
        task.run();
        return () -> {};
    }

    @Override
    public Executor callersContext() {
        return Runnable::run;
    }

    @Override
    public void afterRequest(Runnable task) {
        task.run();
    }

    @Override
    public Task schedule(Duration delay, Runnable task) {
        return () -> {};
    }
}
