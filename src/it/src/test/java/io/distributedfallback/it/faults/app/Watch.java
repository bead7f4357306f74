package io.distributedfallback.it.faults.app;

import io.distributedfallback.BreakerTransition;
import io.distributedfallback.Breakers;
import jakarta.annotation.PreDestroy;
import jakarta.enterprise.context.ApplicationScoped;
import jakarta.enterprise.event.Observes;
import jakarta.inject.Inject;
import java.util.concurrent.locks.LockSupport;
import java.util.logging.Handler;
import java.util.logging.Level;
import java.util.logging.LogRecord;
import java.util.logging.Logger;
import java.util.logging.SimpleFormatter;

/** Writes down what happens to the instance: changes that it is told of, the store's coming and going, standing still. */
@ApplicationScoped
public class Watch {

    private static final long PERIOD_NANOS = 20_000_000;
    private static final long STALL_NANOS = 50_000_000;

    /** Kept, for a logger that nobody holds may be forgotten with its handlers. */
    private static final Logger LOG = Logger.getLogger("io.distributedfallback");

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
        LOG.setLevel(Level.INFO);
        LOG.addHandler(new Reader(journal));
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

    /** Writes down the lines that tell of the store's loss and return, and of those no more than their codes. */
    private static final class Reader extends Handler {

        private static final String LOSS = "keeps its breakers in memory";
        private static final String BACK = "DFB308";
        private static final int LENGTH = 6;

        private final Journal journal;
        private final SimpleFormatter formatter = new SimpleFormatter();

        Reader(Journal journal) {
            this.journal = journal;
        }

        @Override
        public void publish(LogRecord line) {
            String text = formatter.formatMessage(line);
            if (text.contains(LOSS) || text.startsWith(BACK)) {
                journal.log(text.substring(0, LENGTH));
            }
        }

        @Override
        public void flush() {}

        @Override
        public void close() {}
    }
}
