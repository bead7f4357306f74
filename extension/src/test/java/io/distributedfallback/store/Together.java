package io.distributedfallback.store;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.function.IntFunction;

/** Threads that all start at the same moment. */
final class Together implements AutoCloseable {

    private final int threads;
    private final ExecutorService executor;

    Together(int threads) {
        this.threads = threads;
        executor = Executors.newFixedThreadPool(threads);
    }

    /** What each of them came to, in no order that means anything. */
    <T> List<T> run(IntFunction<Callable<T>> work) throws InterruptedException, ExecutionException {
        CyclicBarrier start = new CyclicBarrier(threads);
        List<Future<T>> futures = new ArrayList<>();
        for (int i = 0; i < threads; i++) {
            Callable<T> own = work.apply(i);
            futures.add(executor.submit(() -> {
                start.await(1, TimeUnit.MINUTES);
                return own.call();
            }));
        }
        List<T> results = new ArrayList<>();
        for (Future<T> future : futures) {
            results.add(future.get());
        }
        return results;
    }

    @Override
    public void close() {
        executor.shutdownNow();
    }
}
