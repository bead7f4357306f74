package io.distributedfallback.it.server.app;

import jakarta.enterprise.context.ApplicationScoped;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;

/** The provider: up, down or hanging, as it is told. */
@ApplicationScoped
public class Trade {

    private static final long LONGEST_CALL = TimeUnit.SECONDS.toNanos(3);
    private static final long LONGEST_PROBE = TimeUnit.SECONDS.toNanos(60);

    private final AtomicInteger asked = new AtomicInteger();
    private final AtomicInteger probed = new AtomicInteger();
    private String mode = "up";

    /** A visitor's question. */
    public String ask() {
        asked.incrementAndGet();
        return answer(LONGEST_CALL);
    }

    /** A probe's question. */
    public void probe() {
        probed.incrementAndGet();
        String unused = answer(LONGEST_PROBE);
    }

    private synchronized String answer(long longest) {
        long end = System.nanoTime() + longest;
        try {
            while (mode.equals("hanging") && System.nanoTime() - end < 0) {
                TimeUnit.NANOSECONDS.timedWait(this, end - System.nanoTime());
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException("interrupted", e);
        }
        if (!mode.equals("up")) {
            throw new IllegalStateException("down");
        }
        return "primary";
    }

    /** Changes how it answers. */
    public synchronized void turn(String to) {
        mode = to;
        notifyAll();
    }

    public int asked() {
        return asked.get();
    }

    public int probed() {
        return probed.get();
    }
}
