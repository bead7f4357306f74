package io.distributedfallback.it.server.neighbour;

import jakarta.enterprise.context.ApplicationScoped;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;

/** Who has taken something keeps it until all give it back. */
@ApplicationScoped
public class Greed {

    private final AtomicInteger holding = new AtomicInteger();
    private CountDownLatch end = new CountDownLatch(1);

    /** Returns when all give back who hold something now. */
    public void hold() {
        holdUntil(end());
    }

    /** The same for something that is taken now, and begins to be held later. */
    public Runnable holder() {
        CountDownLatch common = end();
        return () -> holdUntil(common);
    }

    private void holdUntil(CountDownLatch common) {
        holding.incrementAndGet();
        try {
            common.await();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        } finally {
            holding.decrementAndGet();
        }
    }

    private synchronized CountDownLatch end() {
        return end;
    }

    /** How many hold something. */
    public int holding() {
        return holding.get();
    }

    /** Has all of them give back. */
    public synchronized void release() {
        end.countDown();
        end = new CountDownLatch(1);
    }
}
