package io.distributedfallback.core;

import java.time.Duration;
import java.util.concurrent.RejectedExecutionException;

/**
 * Has the copy read because something has changed, however fresh it is, and never so often that a storm of changes becomes
 * one of reads.
 *
 * <ol>
 *   <li>A change sets off a read, on a managed thread.
 *   <li>One such read is under way at a time. Changes that are heard of after it has begun, which it may have missed, set
 *       off exactly one more, however many they are.
 *   <li>A read begins {@value #APART_MILLIS} ms after the one before, or later; changes meanwhile wait for it together.
 *   <li>A read that is not answered, or not asked because the store is left alone after a failure or no thread can be had, is
 *       made up for {@value #AGAIN_MILLIS} ms later.
 * </ol>
 *
 * Reads that calls ask for are another matter and go on as ever.
 */
final class PromptReads {

    static final long APART_MILLIS = 20;
    static final long AGAIN_MILLIS = 2_000;

    private static final Duration APART = Duration.ofMillis(APART_MILLIS);
    private static final Duration AGAIN = Duration.ofMillis(AGAIN_MILLIS);

    private final StoreCopy copy;
    private final Background background;
    private final MonotonicClock clock;

    /** From the change that sets a read off to the end of the last read that it leads to. */
    private boolean underWay;

    private boolean changedMeanwhile;
    private long mayBeginNanos;
    private Background.Task waiting = () -> {};
    private boolean closed;

    PromptReads(StoreCopy copy, Surroundings surroundings) {
        this.copy = copy;
        background = surroundings.background();
        clock = surroundings.clock();
        mayBeginNanos = clock.nanos();
    }

    /** Something has changed. Returns at once. */
    synchronized void changed() {
        if (underWay) {
            changedMeanwhile = true;
            return;
        }
        underWay = true;
        handOver(Duration.ofNanos(mayBeginNanos - clock.nanos()));
    }

    private synchronized void handOver(Duration delay) {
        if (closed) {
            return;
        }
        try {
            if (delay.compareTo(Duration.ZERO) > 0) {
                // A timer's thread does not read: it would find a store that was lost for want of other threads.
                waiting = background.schedule(delay, () -> handOver(Duration.ZERO));
            } else {
                background.run(this::read);
            }
        } catch (RejectedExecutionException e) {
            if (delay.compareTo(Duration.ZERO) > 0) {
                // The reads that calls ask for will find it.
                underWay = false;
            } else {
                handOver(AGAIN);
            }
        }
    }

    private void read() {
        synchronized (this) {
            changedMeanwhile = false;
            mayBeginNanos = clock.nanos() + APART.toNanos();
        }
        boolean answered = false;
        try {
            answered = copy.readAnew();
        } finally {
            // Even if whoever is told of the read has failed: else nothing would ever be read again because of a
            // change.
            goOn(answered);
        }
    }

    private synchronized void goOn(boolean answered) {
        if (!answered) {
            handOver(AGAIN);
        } else if (changedMeanwhile) {
            handOver(Duration.ofNanos(mayBeginNanos - clock.nanos()));
        } else {
            underWay = false;
        }
    }

    synchronized void stop() {
        closed = true;
        waiting.cancel();
    }
}
