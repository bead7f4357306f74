package io.distributedfallback.core;

import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.Deque;
import java.util.List;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;

/**
 * Time and threads as a test wants them: time stands still until it is moved, what is scheduled runs when its time has
 * come, what waits for the end of a request runs when the test ends the request. All on the test's own thread.
 */
final class ManualTime implements MonotonicClock, Background {

    private final List<Timer> timers = new ArrayList<>();
    private final Deque<Runnable> afterRequest = new ArrayDeque<>();
    private final Deque<Runnable> held = new ArrayDeque<>();
    private long nanos = Long.MAX_VALUE - Duration.ofSeconds(100).toNanos();
    private Timer running;
    private boolean holding;
    private boolean takingOneMore;
    private boolean rejecting;
    private boolean rejectingTimers;
    private boolean takingTimers;
    private boolean contextsLost;

    @Override
    public long nanos() {
        return nanos;
    }

    /** Lets time pass. Starts close to the overflow of the clock, so that it happens in every longer test. */
    void pass(Duration time) {
        long end = nanos + time.toNanos();
        while (true) {
            Timer next = timers.stream()
                    .filter(timer -> timer.atNanos - end <= 0)
                    .min(Comparator.comparingLong(timer -> timer.atNanos - end))
                    .orElse(null);
            if (next == null) {
                nanos = end;
                return;
            }
            timers.remove(next);
            nanos = nanos - next.atNanos > 0 ? nanos : next.atNanos;
            Timer outer = running;
            running = next;
            next.task.run();
            running = outer;
        }
    }

    /** The process stands still: time passes, and what was due meanwhile runs at the end of it. */
    void standStill(Duration length) {
        nanos += length.toNanos();
        pass(Duration.ZERO);
    }

    /** The process stands still, and whoever asks for the time is quicker on waking than what was due meanwhile. */
    void standStillAndWakeBeforeTimers(Duration length) {
        nanos += length.toNanos();
    }

    void passSeconds(long seconds) {
        pass(Duration.ofSeconds(seconds));
    }

    /** The request ends, and what waited for that runs. */
    void endRequest() {
        while (!afterRequest.isEmpty()) {
            afterRequest.remove().run();
        }
    }

    int waitingForRequestEnd() {
        return afterRequest.size();
    }

    int timersSet() {
        return timers.size();
    }

    /** From now on tasks are taken but do not run: a hanging store, a saturated executor. */
    void hold() {
        holding = true;
    }

    /** From now on tasks are taken but do not run, except for the next one. */
    void holdAllButTheNext() {
        takingOneMore = true;
        holding = true;
    }

    /** The one that was held first runs now. */
    void releaseTheNext() {
        held.remove().run();
    }

    int heldTasks() {
        return held.size();
    }

    /** What was held runs now. */
    void release() {
        holding = false;
        while (!held.isEmpty()) {
            held.remove().run();
        }
    }

    int waitingForThread() {
        return held.size();
    }

    /** The application stops: what has not begun is taken back, and nothing more is taken. */
    void stop() {
        rejecting = true;
        List<Runnable> left = new ArrayList<>(held);
        timers.forEach(timer -> left.add(timer.task));
        held.clear();
        timers.clear();
        left.stream().filter(Awaited.class::isInstance).map(Awaited.class::cast).forEach(Awaited::takenBack);
    }

    void reject(boolean all) {
        rejecting = all;
        takingTimers = false;
    }

    /** From now on timers alone have a thread. */
    void rejectAllButTimers() {
        rejecting = true;
        takingTimers = true;
    }

    /** From now on there is a thread for what is to run at once, and none for what is to run later. */
    void rejectTimers() {
        rejectingTimers = true;
    }

    /** From now on the context of a caller can be taken, but not be put on a thread: its component has stopped. */
    void loseContexts() {
        contextsLost = true;
    }

    @Override
    public Task run(Runnable task) {
        if (rejecting) {
            throw new RejectedExecutionException("the queue is full");
        }
        if (holding && !takingOneMore) {
            held.add(task);
        } else {
            takingOneMore = false;
            task.run();
        }
        return () -> held.remove(task);
    }

    /** There is always a thread for that. */
    @Override
    public Task last(Runnable task) {
        if (!rejecting) {
            return run(task);
        }
        task.run();
        return () -> {};
    }

    @Override
    public void afterRequest(Runnable task) {
        if (rejecting) {
            throw new RejectedExecutionException("the queue is full");
        }
        afterRequest.add(task);
    }

    @Override
    public Executor callersContext() {
        return contextsLost
                ? task -> {
                    throw new IllegalStateException("the component is not started");
                }
                : Runnable::run;
    }

    @Override
    public Task schedule(Duration delay, Runnable task) {
        if ((rejecting && !takingTimers) || rejectingTimers) {
            throw new RejectedExecutionException("the queue is full");
        }
        Timer timer = new Timer(nanos + delay.toNanos(), task);
        timers.add(timer);
        return () -> {
            if (!timers.remove(timer) && timer.equals(running)) {
                Thread.currentThread().interrupt();
            }
        };
    }

    private record Timer(long atNanos, Runnable task) {}
}
