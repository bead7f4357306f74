package io.distributedfallback.queue;

import io.distributedfallback.core.Background;
import io.distributedfallback.core.StoreException;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.BooleanSupplier;

/**
 * The stored calls of one method, on one instance. Thread-safe.
 *
 * <ol>
 *   <li>It looks whether calls are pending: at its start, after it stored one, when its breaker has closed, and by a timer
 *       that rings each {@value #IDLE_SECONDS} s if none were pending when it looked last.
 *   <li>Some are, and the breaker keeps calls away: it has the breaker looked after, and looks again after
 *       {@value #WAITING_SECONDS} s, or at once when the breaker has closed.
 *   <li>Such a breaker that has no probe, and whose next call may be the trial, gets one of them as that.
 *   <li>Some are due: a worker takes a few and makes them, one after the other, until none is due any more. If there are
 *       more than it can take, another worker is started, up to {@value #MOST_WORKERS}.
 *   <li>The last worker that ends looks again.
 * </ol>
 */
public final class CallQueue {

    static final int MOST_WORKERS = 4;
    static final int MOST_AT_ONCE = 8;

    private static final int IDLE_SECONDS = 60;
    private static final int WAITING_SECONDS = 5;
    private static final Duration IDLE = Duration.ofSeconds(IDLE_SECONDS);
    private static final Duration WAITING = Duration.ofSeconds(WAITING_SECONDS);
    private static final Duration TAKEN_BY_OTHERS = Duration.ofMillis(200);

    private final QueueName name;
    private final QueueRules rules;
    private final CallMaker maker;
    private final QueueParts parts;
    private final AtomicInteger workers = new AtomicInteger();
    private final Alarm alarm;
    private volatile boolean wasClear = true;
    private volatile boolean hasStored;
    private volatile long storedAtNanos;
    private volatile boolean stopped;

    CallQueue(QueueName name, QueueRules rules, CallMaker maker, QueueParts parts) {
        this.name = name;
        this.rules = rules;
        this.maker = maker;
        this.parts = parts;
        this.alarm = new Alarm(parts, this::look);
    }

    public QueueName name() {
        return name;
    }

    /**
     * Stores a call, in the caller's transaction if there is one.
     *
     * @param key calls with the same one are made in order; empty if no order is promised
     * @param arguments as JSON
     * @param wasTried whether the primary has just failed with it
     * @throws StoreException if it cannot be stored
     */
    public void store(Optional<String> key, String arguments, boolean wasTried) {
        Duration delay = wasTried ? rules.pauseAfter(1, chance()) : Duration.ZERO;
        parts.store().store(new NewCall(name, key, arguments, delay));
        parts.listener().stored(name);
        storedAtNanos = parts.clock().nanos();
        hasStored = true;
        lookIn(wasTried ? delay : WAITING);
    }

    /** The breaker may have closed. Quick. */
    void changed() {
        boolean isClear = parts.gate().isClear(name.breaker());
        if (alarm.wasMissed() || (isClear && !wasClear)) {
            lookSoon();
        }
        wasClear = isClear;
    }

    void lookSoon() {
        runOrLater(this::look);
    }

    void lookLater() {
        lookIn(IDLE);
    }

    void stop() {
        stopped = true;
    }

    private void look() {
        if (!stopped) {
            orLater(() -> look(Duration.ZERO), IDLE);
        }
    }

    /** @param least the least pause before calls that seem to be due are taken */
    private void look(Duration least) {
        Optional<Duration> next = parts.store().untilNext(name, rules.rate());
        if (next.isEmpty()) {
            // What was stored here may be part of a transaction that is still under way.
            lookIn(hasJustStored() ? WAITING : IDLE);
        } else if (!isClear()) {
            parts.gate().lookAfter(name.breaker());
            if (next.get().isZero() && least.isZero() && parts.gate().isTrialDue(name.breaker())) {
                startWorker(this::makeTrial);
            }
            lookIn(WAITING);
        } else if (next.get().isZero() && least.isZero()) {
            startWorker(this::makeWhatIsDue);
        } else {
            Duration wait = next.get().compareTo(least) < 0 ? least : next.get();
            lookIn(wait.compareTo(WAITING) < 0 ? wait : WAITING);
        }
    }

    private boolean hasJustStored() {
        return hasStored && parts.clock().nanos() - storedAtNanos < IDLE.toNanos();
    }

    private boolean isClear() {
        boolean isClear = parts.gate().isClear(name.breaker());
        wasClear = isClear;
        return isClear;
    }

    private void lookIn(Duration delay) {
        if (!stopped) {
            alarm.ringIn(delay);
        }
    }

    private void startWorker(Runnable work) {
        if (workers.incrementAndGet() > MOST_WORKERS) {
            workers.decrementAndGet();
        } else if (!runOrLater(() -> work(work))) {
            workers.decrementAndGet();
        }
    }

    private boolean runOrLater(Runnable task) {
        try {
            Background.Task unused = parts.background().run(task);
            return true;
        } catch (RejectedExecutionException e) {
            parts.listener().trouble(StoreException.noThread(e));
            lookIn(IDLE);
            return false;
        }
    }

    private void work(Runnable work) {
        try {
            orLater(work, WAITING);
        } finally {
            if (workers.decrementAndGet() == 0 && !stopped) {
                orLater(() -> look(TAKEN_BY_OTHERS), WAITING);
            }
        }
    }

    private void orLater(Runnable step, Duration pause) {
        try {
            step.run();
        } catch (StoreException e) {
            parts.listener().trouble(e);
            lookIn(pause);
        }
    }

    private void makeWhatIsDue() {
        while (!stopped && isClear()) {
            Batch batch = take(MOST_AT_ONCE, this::mayMake, true);
            if (batch.isOver()) {
                return;
            }
            if (batch.size() == MOST_AT_ONCE) {
                startWorker(this::makeWhatIsDue);
            }
            if (!batch.make()) {
                return;
            }
        }
    }

    /** At least once suits a trial well. That it fails says nothing of the call, so it costs it no attempt. */
    private void makeTrial() {
        Batch trial = take(1, () -> !stopped, false);
        boolean unused = trial.isOver() || trial.make();
    }

    private Batch take(int most, BooleanSupplier mayMake, boolean counts) {
        // Who finds another one taking gets nothing, and would end: so one worker at a time.
        synchronized (workers) {
            long before = parts.clock().nanos();
            List<TakenCall> calls =
                    parts.store().take(name, new CallStore.Terms(most, rules.rate(), parts.lease(), token()));
            return new Batch(calls, before, this, parts, mayMake, counts);
        }
    }

    /** Whether calls may be made at all, as it is now. */
    private boolean mayMake() {
        return !stopped && isClear();
    }

    boolean isStopped() {
        return stopped;
    }

    QueueRules rules() {
        return rules;
    }

    Outcome attempt(TakenCall call) throws InterruptedException {
        return maker.make(call);
    }

    private static long token() {
        return ThreadLocalRandom.current().nextLong();
    }

    double chance() {
        return ThreadLocalRandom.current().nextDouble();
    }
}
