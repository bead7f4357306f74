package io.distributedfallback.benchmarks.store;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;

/**
 * Callers whose calls all fail, one right after the other.
 *
 * @param callers how many calls are under way at once
 * @param length how long it lasts
 */
record Storm(int callers, Duration length) {

    /** Threads that start calls whose answers come later: the machine has not many more processors. */
    private static final int STARTERS = 2;

    /**
     * What came of it.
     *
     * @param failures calls, which all failed
     * @param seconds how long it took until the last of them had come back
     * @param waits how long each caller waited for its answer
     */
    record Outcome(int failures, double seconds, Durations waits) {

        static Outcome of(long began, Durations waits) {
            return new Outcome(waits.size(), (System.nanoTime() - began) / (double) TimeUnit.SECONDS.toNanos(1), waits);
        }

        double perSecond() {
            return failures / seconds;
        }
    }

    /** Callers that wait for the answer. */
    Outcome blow(Callable<?> call) throws InterruptedException, ExecutionException {
        Durations waits = new Durations();
        long began = System.nanoTime();
        long end = began + length.toNanos();
        together(callers, () -> {
            for (long now = System.nanoTime(); now < end; now = System.nanoTime()) {
                call.call();
                waits.add(System.nanoTime() - now);
            }
            return null;
        });
        return Outcome.of(began, waits);
    }

    /** Callers that get the answer on whatever thread it comes. */
    Outcome blowStages(Callable<? extends CompletionStage<?>> call) throws InterruptedException, ExecutionException {
        Durations waits = new Durations();
        Semaphore places = new Semaphore(callers);
        long began = System.nanoTime();
        long end = began + length.toNanos();
        together(STARTERS, () -> {
            while (System.nanoTime() < end) {
                places.acquire();
                long now = System.nanoTime();
                call.call().whenComplete((answer, failure) -> {
                    waits.add(System.nanoTime() - now);
                    places.release();
                });
            }
            return null;
        });
        places.acquire(callers);
        return Outcome.of(began, waits);
    }

    private static void together(int threads, Callable<Void> work) throws InterruptedException, ExecutionException {
        ExecutorService executor = Executors.newFixedThreadPool(threads);
        try {
            List<Future<Void>> workers = new ArrayList<>();
            for (int worker = 0; worker < threads; worker++) {
                workers.add(executor.submit(work));
            }
            for (Future<Void> worker : workers) {
                worker.get();
            }
        } finally {
            executor.shutdownNow();
        }
    }
}
