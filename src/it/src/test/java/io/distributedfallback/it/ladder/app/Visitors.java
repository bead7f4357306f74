package io.distributedfallback.it.ladder.app;

import io.distributedfallback.FallbackLimitedException;
import io.distributedfallback.it.ladder.app.Witness.Note;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.locks.LockSupport;

/**
 * A steady load on one instance. Nine calls of ten are for the hot products, the others for any. Visitors who have to
 * wait fall behind, and leave out what they missed.
 */
final class Visitors {

    static final int THREADS = 16;
    static final int HOT = 200;
    static final int ALL = 2_200;

    private static final long SECOND = 1_000_000_000L;
    private static final double SHARE_OF_HOT = 0.9;

    private final Products products;
    private final int instance;
    private final long periodNanos;
    private final CountDownLatch stop = new CountDownLatch(1);
    private final ExecutorService threads = Executors.newFixedThreadPool(THREADS);
    private final List<Future<List<Call>>> made = new ArrayList<>();

    /** @param rate calls a second */
    Visitors(Products products, int instance, int rate) {
        this.products = products;
        this.instance = instance;
        this.periodNanos = SECOND * THREADS / rate;
    }

    void come() {
        for (int i = 0; i < THREADS; i++) {
            int number = i;
            made.add(threads.submit(() -> visit(number)));
        }
    }

    private List<Call> visit(int number) {
        Random random = new Random(1_000L * instance + number);
        List<Call> calls = new ArrayList<>();
        long next = System.nanoTime() + periodNanos * number / THREADS;
        while (stop.getCount() > 0) {
            long left = next - System.nanoTime();
            if (left > 0) {
                LockSupport.parkNanos(left);
                continue;
            }
            calls.add(call(random.nextDouble() < SHARE_OF_HOT ? random.nextInt(HOT) : HOT + random.nextInt(ALL - HOT)));
            next = Math.max(next + periodNanos, System.nanoTime());
        }
        return calls;
    }

    private Call call(int id) {
        Note note = Witness.begin();
        long at = Time.micros();
        Outcome outcome;
        try {
            outcome = products.find(id).isEmpty() ? Outcome.FAILED : note.from();
        } catch (RuntimeException e) {
            outcome = isRefusal(e) ? Outcome.REFUSED : Outcome.FAILED;
        }
        int took = (int) (Time.micros() - at);
        return new Call(instance, at, took, outcome, note.askedRedis(), note.timedOut(), note.queriedMicros());
    }

    /** If Redis was asked and did not answer, its exception is what the caller gets, with the refusal suppressed. */
    private static boolean isRefusal(RuntimeException failure) {
        return failure instanceof FallbackLimitedException
                || Arrays.stream(failure.getSuppressed()).anyMatch(FallbackLimitedException.class::isInstance);
    }

    List<Call> leave() throws Exception {
        stop.countDown();
        List<Call> all = new ArrayList<>();
        for (Future<List<Call>> calls : made) {
            all.addAll(calls.get());
        }
        threads.shutdown();
        return all;
    }
}
