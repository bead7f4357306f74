package io.distributedfallback.it.faults.app;

import io.distributedfallback.BreakerTransition;
import io.distributedfallback.Breakers;
import jakarta.annotation.PreDestroy;
import jakarta.enterprise.context.ApplicationScoped;
import jakarta.enterprise.event.Observes;
import jakarta.inject.Inject;
import java.util.concurrent.locks.LockSupport;

/** Writes down what happens to the instance: changes that it is told of, the store's coming and going, standing still. */
@ApplicationScoped
public class Watch {

    private static final long PERIOD_NANOS = 20_000_000;
    private static final long STALL_NANOS = 50_000_000;

    private volatile boolean isOver;

    @Inject
    Journal journal;

    @Inject
    Breakers breakers;

    void changed(@Observes BreakerTransition change) {
        journal.transition(change.breaker(), change.to().name());
    }

    @PreDestroy
    void end() {
        isOver = true;
    }

    /** Keeps watch as long as the application runs. */
    public void begin() {
        start(this::watchTime);
        start(this::watchStore);
    }

    private static void start(Runnable watch) {
        Thread thread = new Thread(watch, "watch");
        thread.setDaemon(true);
        thread.start();
    }

    private void watchTime() {
        long last = System.nanoTime();
        while (true) {
            LockSupport.parkNanos(PERIOD_NANOS);
            long now = System.nanoTime();
            if (now - last > PERIOD_NANOS + STALL_NANOS) {
                journal.stall(last, now);
            }
            last = now;
        }
    }

    private void watchStore() {
        boolean wasUp = false;
        while (!isOver) {
            // Until it has been read for the first time nothing is known of it.
            boolean isUp = breakers.copy().storeUp() && breakers.copy().age().isPresent();
            if (isUp != wasUp) {
                journal.store(isUp);
                wasUp = isUp;
            }
            LockSupport.parkNanos(PERIOD_NANOS);
        }
    }
}
