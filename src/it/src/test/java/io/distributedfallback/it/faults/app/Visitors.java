package io.distributedfallback.it.faults.app;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;

/** A steady load on one instance. A visitor who had to wait falls behind, and leaves out what was missed. */
final class Visitors {

    /** How many may be in the catalogue at the same time. */
    static final int OF_THE_CATALOGUE = 4;

    private static final long SECOND = 1_000_000_000L;

    /** When the last call began. */
    private final AtomicLong last = new AtomicLong();

    private final Shop shop;
    private final Journal journal;
    private final List<Thread> threads = new ArrayList<>();
    private volatile boolean stay;

    Visitors(Shop shop, Journal journal) {
        this.shop = shop;
        this.journal = journal;
    }

    /** One call of a visitor. */
    @FunctionalInterface
    private interface Call {
        String make(long began) throws Exception;
    }

    void come() {
        stay = true;
        journal.visitors(true);
        for (int i = 0; i < OF_THE_CATALOGUE; i++) {
            start(Shop.CATALOGUE, shop::find, SECOND / 10);
        }
        start(Shop.CATALOGUE, shop::findLate, SECOND);
        for (int i = 0; i < 2; i++) {
            start(Shop.LEDGER, shop::count, SECOND / 5);
        }
    }

    private void start(String breaker, Call call, long periodNanos) {
        Thread thread = new Thread(() -> visit(breaker, call, periodNanos), "visitor");
        thread.setDaemon(true);
        threads.add(thread);
        thread.start();
    }

    private void visit(String breaker, Call call, long periodNanos) {
        long next = System.nanoTime();
        while (stay) {
            long left = next - System.nanoTime();
            if (left > 0) {
                LockSupport.parkNanos(left);
                continue;
            }
            make(breaker, call);
            next = Math.max(next + periodNanos, System.nanoTime());
        }
    }

    private void make(String breaker, Call call) {
        Shop.AT_PROVIDER.set(0L);
        // No two at the same moment: by that a call is told from others.
        long began = last.updateAndGet(before -> Math.max(before + 1, System.nanoTime()));
        String outcome;
        try {
            outcome = call.make(began);
        } catch (Exception | Error e) {
            outcome = "broken";
            e.printStackTrace();
        }
        journal.call(breaker, outcome, began, System.nanoTime(), Shop.AT_PROVIDER.get());
    }

    /** All leave, when they have their answers. */
    void leave() throws InterruptedException {
        stay = false;
        for (Thread thread : threads) {
            thread.join();
        }
        threads.clear();
        journal.visitors(false);
    }
}
