package io.distributedfallback.benchmarks.store;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.LongAdder;
import java.util.concurrent.locks.LockSupport;

/** Traffic: a visitor for each instance, who comes back again and again, and finds what is on at the time. */
final class Visitors implements AutoCloseable {

    /** What an instance does for its visitor. */
    @FunctionalInterface
    interface Scene {
        void visit(int instance) throws Exception;
    }

    private final List<Thread> threads = new ArrayList<>();
    private final LongAdder visits = new LongAdder();
    private volatile Scene scene;
    private volatile boolean isOver;
    private volatile Exception trouble;

    /**
     * Lets them come, one after the other.
     *
     * @param gap between the end of a visit and the next one
     * @param arrival the time in which the first visits begin, so that what the instances do does not coincide
     */
    Visitors(int count, Duration gap, Duration arrival, Scene first) {
        scene = first;
        for (int i = 0; i < count; i++) {
            int instance = i;
            Thread thread = new Thread(() ->
                    keepVisiting(instance, gap, arrival.multipliedBy(instance).dividedBy(count)));
            thread.setDaemon(true);
            threads.add(thread);
            thread.start();
        }
    }

    private void keepVisiting(int instance, Duration gap, Duration delay) {
        LockSupport.parkNanos(delay.toNanos());
        try {
            while (!isOver) {
                scene.visit(instance);
                visits.increment();
                LockSupport.parkNanos(gap.toNanos());
            }
        } catch (Exception e) {
            trouble = e;
        }
    }

    void follow(Scene next) {
        scene = next;
    }

    /** How many visits there have been. */
    long count() {
        if (trouble != null) {
            throw new IllegalStateException("a visit went wrong", trouble);
        }
        return visits.sum();
    }

    @Override
    public void close() {
        isOver = true;
        for (Thread thread : threads) {
            try {
                thread.join();
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
        }
    }
}
