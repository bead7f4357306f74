package io.distributedfallback.core;

import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicBoolean;

/**
 * What has been told and is being written. Whoever told it may do something else meanwhile, and then waits for the rest,
 * {@link Timings#writeTimeout()} at most, if this instance does not stand still ({@link Patience}).
 */
final class Written {

    /** There is nothing to wait for. */
    static final Written NOTHING =
            new Written(CompletableFuture.completedFuture(null), Duration.ZERO, System::nanoTime, () -> {});

    private final CompletableFuture<Void> landed;
    private final Duration longest;
    private final MonotonicClock clock;
    private final Runnable overdue;

    /**
     * @param landed completes when it has been written somewhere
     * @param longest for how long somebody waits
     * @param overdue gets told that somebody has waited in vain
     */
    Written(CompletableFuture<Void> landed, Duration longest, MonotonicClock clock, Runnable overdue) {
        this.landed = landed;
        this.longest = longest;
        this.clock = clock;
        this.overdue = overdue;
    }

    void await() {
        try {
            Void unused = Patience.await(landed, longest, clock);
        } catch (TimeoutException e) {
            overdue.run();
        } catch (InterruptedException e) {
            // What was told is on its way. Whoever interrupts does not want the caller to wait for it.
            Thread.currentThread().interrupt();
        } catch (ExecutionException e) {
            throw new IllegalStateException("a landing has no failure of its own", e);
        }
    }

    /**
     * Goes on when it is written, or has taken too long: now if it is, else on a managed thread; or when the application
     * stops. Blocks nobody.
     */
    void then(Background background, Runnable next) {
        if (landed.isDone()) {
            next.run();
            return;
        }
        AtomicBoolean gone = new AtomicBoolean();
        Runnable goOn = () -> {
            if (gone.compareAndSet(false, true)) {
                next.run();
            }
        };
        Runnable goOnOverdue = () -> {
            if (gone.compareAndSet(false, true)) {
                overdue.run();
                next.run();
            }
        };
        long begun = clock.nanos();
        Runnable ring = () -> {
            boolean isSetAnew = Patience.stoodStill(clock.nanos() - begun, longest)
                    && timer(background, Background.Awaited.of(goOnOverdue, goOn))
                            .isPresent();
            if (!isSetAnew) {
                goOnOverdue.run();
            }
        };
        // Where no timer is to be had the landing alone tells.
        Background.Task timer =
                timer(background, Background.Awaited.of(ring, goOn)).orElse(() -> {});
        CompletableFuture<Void> unused = landed.thenRun(() -> {
            if (gone.compareAndSet(false, true)) {
                timer.cancel();
                // Not on this thread, which has the next write to make.
                runOn(background, next);
            }
        });
    }

    private Optional<Background.Task> timer(Background background, Runnable task) {
        try {
            return Optional.of(background.schedule(longest, task));
        } catch (RejectedExecutionException e) {
            return Optional.empty();
        }
    }

    private static void runOn(Background background, Runnable task) {
        try {
            background.run(Background.Awaited.of(task, task));
        } catch (RejectedExecutionException e) {
            task.run();
        }
    }
}
