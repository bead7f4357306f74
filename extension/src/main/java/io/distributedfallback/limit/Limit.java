package io.distributedfallback.limit;

import io.distributedfallback.Classification;
import io.distributedfallback.FallbackLimit.Scope;
import io.distributedfallback.FallbackLimitedException;
import io.distributedfallback.RetryAfter;
import io.distributedfallback.core.FailureText;
import io.distributedfallback.core.LimitReason;
import io.distributedfallback.core.Policy;
import io.distributedfallback.core.StoreException;
import io.distributedfallback.core.Surroundings;
import java.time.Clock;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;

/**
 * One limit on one instance. A call of the fallback:
 *
 * <ol>
 *   <li>does not begin while there is a pause;
 *   <li>takes its turn, if there is a number of calls that may be under way;
 *   <li>takes a permit. If there is none it gives its turn back: a permit is never taken in vain.
 * </ol>
 *
 * <p>It waits for turn and permit together as long as the settings allow, and is refused otherwise. Thread-safe.
 */
final class Limit {

    private final LimitSettings settings;
    private final Surroundings around;
    private final Optional<PermitStore> store;
    private final Clock wallClock;
    private final Sleep sleep;
    private final FallbackPause pause;
    private final Permits permits;
    private final Optional<Semaphore> turns;

    /** Waits on the calling thread. */
    @FunctionalInterface
    interface Sleep {
        void nanos(long nanos) throws InterruptedException;
    }

    /** @param store hands out the permits of all instances; empty if this one is alone */
    Limit(LimitSettings settings, Surroundings around, Optional<PermitStore> store, Clock wallClock, Sleep sleep) {
        this.settings = settings;
        this.around = around;
        this.store = store.filter(shared -> settings.scope() == Scope.CLUSTER);
        this.wallClock = wallClock;
        this.sleep = sleep;
        this.pause = new FallbackPause(around.clock().nanos());
        this.permits = this.store
                .<Permits>map(shared -> new ClusterPermits(settings, shared, around, this::pausedElsewhere))
                .orElseGet(() -> new LocalPermits(around.clock(), settings.permitsPerSecond(), settings.burst()));
        this.turns = settings.maxConcurrent() == 0
                ? Optional.empty()
                : Optional.of(new Semaphore(settings.maxConcurrent(), true));
    }

    /**
     * A call of the fallback is to begin.
     *
     * @return when it does
     * @throws FallbackLimitedException if it may not
     */
    long enter(String breaker) {
        long start = around.clock().nanos();
        requireNoPause(breaker, start);
        long most = settings.maxWait().toNanos();
        if (turns.isEmpty()) {
            return begin(breaker, start, most);
        }
        if (!hasTurn(turns.get(), most)) {
            throw refusal(breaker, LimitReason.CONCURRENCY, 0);
        }
        boolean begun = false;
        try {
            long now = most == 0 ? start : around.clock().nanos();
            long moment = begin(breaker, now, Math.max(0, start + most - now));
            begun = true;
            return moment;
        } finally {
            if (!begun) {
                leave();
            }
        }
    }

    private long begin(String breaker, long start, long most) {
        long wait = permits.take(most);
        if (wait < 0) {
            requireNoPause(breaker, start);
            throw refusal(breaker, LimitReason.RATE, -wait);
        }
        if (most == 0) {
            return start;
        }
        if (wait > 0 && !hasSlept(wait)) {
            throw refusal(breaker, LimitReason.RATE, 0);
        }
        long now = around.clock().nanos();
        requireNoPause(breaker, now);
        return now;
    }

    private void requireNoPause(String breaker, long now) {
        long left = pause.left(now);
        if (left > 0) {
            throw refusal(breaker, LimitReason.PAUSE, left);
        }
    }

    /** {@code tryAcquire} without a time goes before those that wait. */
    private static boolean hasTurn(Semaphore turns, long most) {
        if (!turns.hasQueuedThreads() && turns.tryAcquire()) {
            return true;
        }
        try {
            return most > 0 && turns.tryAcquire(most, TimeUnit.NANOSECONDS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return false;
        }
    }

    private boolean hasSlept(long nanos) {
        try {
            sleep.nanos(nanos);
            return true;
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return false;
        }
    }

    private FallbackLimitedException refusal(String breaker, LimitReason reason, long nanos) {
        around.listener().fallbackLimited(breaker, settings.name(), reason);
        return new FallbackLimitedException(
                breaker,
                settings.name(),
                Duration.ofNanos(nanos),
                "the fallback of breaker " + breaker + " was not called, by its limit " + settings.name() + ": "
                        + reason.text());
    }

    /** The turn of a call ends. */
    void leave() {
        turns.ifPresent(Semaphore::release);
    }

    void succeeded() {
        pause.succeeded();
    }

    /** One more failure in a row. */
    void failed(long begun, Throwable thrown) {
        long nanos = pause.failed(begun, around.clock().nanos());
        if (nanos > 0) {
            Duration length = Duration.ofNanos(nanos);
            tell(length, thrown);
            share(new RetryAfter.In(length), length);
        }
    }

    /** The fallback wants to be left alone. */
    void throttled(Classification classification, Policy policy, Throwable thrown) {
        RetryAfter asked = classification.retryAfter().orElseGet(() -> new RetryAfter.In(policy.cooldown()));
        Duration length = lengthOf(asked);
        Duration most = policy.maxCooldown();
        if (length.isNegative()) {
            return;
        }
        Duration cut = length.compareTo(most) > 0 ? most : length;
        if (pause.extend(around.clock().nanos(), cut.toNanos())) {
            tell(cut, thrown);
            share(asked, most);
        }
    }

    /** The clock of the instance is only held against a date that the provider gave; the store has its own for that. */
    private Duration lengthOf(RetryAfter asked) {
        return asked instanceof RetryAfter.At at
                ? Duration.between(wallClock.instant(), at.moment())
                : ((RetryAfter.In) asked).delay();
    }

    private void pausedElsewhere(long nanos) {
        if (pause.extend(around.clock().nanos(), nanos)) {
            around.listener().fallbackPaused(settings.name(), Duration.ofNanos(nanos), "");
        }
    }

    private void tell(Duration length, Throwable thrown) {
        around.listener().fallbackPaused(settings.name(), length, FailureText.of(thrown));
    }

    private void share(RetryAfter until, Duration most) {
        store.ifPresent(shared -> {
            try {
                around.background().run(() -> write(shared, until, most));
            } catch (RejectedExecutionException e) {
                around.listener().storeTrouble(StoreException.noThread(e));
            }
        });
    }

    private void write(PermitStore shared, RetryAfter until, Duration most) {
        try {
            shared.pause(settings, until, most);
        } catch (RuntimeException | LinkageError e) {
            around.listener().storeTrouble(StoreException.of(e));
        }
    }
}
