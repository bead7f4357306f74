package io.distributedfallback.lastgood;

import java.util.concurrent.ExecutionException;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Consumer;

/**
 * A future that tells what it was asked for, the first time. A plain one tells nobody that it is done.
 *
 * @param <T> the type of its result
 */
final class KeepingFuture<T> implements Future<T> {

    private final Future<T> future;
    private final Consumer<T> results;
    private final AtomicBoolean told = new AtomicBoolean();

    KeepingFuture(Future<T> future, Consumer<T> results) {
        this.future = future;
        this.results = results;
    }

    @Override
    public T get() throws InterruptedException, ExecutionException {
        return told(future.get());
    }

    @Override
    public T get(long timeout, TimeUnit unit) throws InterruptedException, ExecutionException, TimeoutException {
        return told(future.get(timeout, unit));
    }

    private T told(T value) {
        if (!told.getAndSet(true)) {
            results.accept(value);
        }
        return value;
    }

    @Override
    public boolean isDone() {
        return future.isDone();
    }

    @Override
    public boolean isCancelled() {
        return future.isCancelled();
    }

    @Override
    public boolean cancel(boolean mayInterruptIfRunning) {
        return future.cancel(mayInterruptIfRunning);
    }
}
