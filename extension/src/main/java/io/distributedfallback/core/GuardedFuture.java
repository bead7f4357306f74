package io.distributedfallback.core;

import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Executor;
import java.util.concurrent.Future;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicBoolean;

/**
 * A guarded call whose outcome is that of a future. A plain future tells nobody that it is done, and to wait for it
 * would cost a thread. So its outcome is taken when somebody asks for it ({@code get}, {@code isDone}, {@code cancel}),
 * and on the thread that asks the fallback answers. One that is a {@link CompletionStage} as well tells by itself.
 *
 * @param <C> what primary and fallback need
 * @param <T> the type of the answer
 */
final class GuardedFuture<C, T> implements Future<T> {

    private final Surroundings surroundings;
    private final C context;
    private final Fallback<C, ? extends Future<T>> fallback;
    private final Report report;
    private final AtomicBoolean settling = new AtomicBoolean();
    private final CompletableFuture<Future<T>> answer = new CompletableFuture<>();
    private volatile Future<T> primary;
    private volatile Throwable first;

    GuardedFuture(Surroundings surroundings, C context, Fallback<C, ? extends Future<T>> fallback, Report report) {
        this.surroundings = surroundings;
        this.context = context;
        this.fallback = fallback;
        this.report = report;
    }

    /** The answer of code that is not guarded itself. Whatever it throws is the failure of the future. */
    static <T> Future<T> of(Unchecked.Code<? extends Future<T>> code) {
        try {
            return code.run();
        } catch (Throwable thrown) {
            Causes.keepInterrupt(thrown);
            return CompletableFuture.failedFuture(thrown);
        }
    }

    /** Makes the call. A failure before there is a future is the failure of the future. */
    Future<T> start(Primary<C, ? extends Future<T>> call) {
        primary = of(() -> call.answer(context));
        if (primary == null) {
            report.succeeded();
            return null;
        }
        if (isDone(primary)) {
            settle();
        } else if (primary instanceof CompletionStage<?> stage) {
            Executor callers = surroundings.background().callersContext();
            stage.whenComplete((value, thrown) -> {
                if (thrown == null && isDone(primary) && !report.mayWriteAfterSuccess()) {
                    settle();
                } else {
                    offload(() -> callers.execute(this::settle));
                }
            });
        } else {
            report.askWhenOverdue(() -> isDone(primary));
        }
        return this;
    }

    private void offload(Runnable task) {
        try {
            surroundings.background().run(task);
        } catch (RejectedExecutionException e) {
            task.run();
        }
    }

    /** One that cannot be asked is done: the AsyncResult of Jakarta Enterprise Beans carries a value and is no future. */
    private static boolean isDone(Future<?> future) {
        try {
            return future.isDone();
        } catch (RuntimeException e) {
            return true;
        }
    }

    /** The primary is done: tells how it fared, and finds out who answers. The first who comes does it. */
    private void settle() {
        if (!settling.compareAndSet(false, true)) {
            return;
        }
        try {
            Throwable thrown = failureOf(primary);
            if (thrown == null) {
                report.succeeded();
                answer.complete(primary);
                return;
            }
            Recorded recorded = report.failed(thrown);
            Future<T> outcome = primary;
            if (recorded.usesFallback()) {
                first = causeOf(thrown);
                outcome = instead();
            }
            recorded.written().await();
            answer.complete(outcome);
        } catch (RuntimeException | Error unexpected) {
            // Whatever happens, a caller must not wait for ever.
            answer.complete(CompletableFuture.failedFuture(unexpected));
            throw unexpected;
        }
    }

    /** What a future failed with, as the application threw it. */
    static Throwable causeOf(Throwable thrown) {
        return thrown instanceof ExecutionException && thrown.getCause() != null ? thrown.getCause() : thrown;
    }

    private Future<T> instead() {
        Future<T> instead = of(() -> report.watched(fallback).answer(context, () -> first));
        return instead == null ? CompletableFuture.completedFuture(null) : instead;
    }

    /** Null for none. An interrupt is meant for whoever waits, and the primary is done: nobody waits here. */
    private static Throwable failureOf(Future<?> done) {
        boolean interrupted = false;
        try {
            while (true) {
                try {
                    Object unused = done.get();
                    return null;
                } catch (InterruptedException e) {
                    interrupted = true;
                } catch (ExecutionException | RuntimeException e) {
                    return e;
                }
            }
        } finally {
            if (interrupted) {
                Thread.currentThread().interrupt();
            }
        }
    }

    @Override
    public T get() throws InterruptedException, ExecutionException {
        try {
            Object unused = primary.get();
        } catch (ExecutionException | CancellationException failure) {
            // Looked at when it is settled.
        }
        settle();
        try {
            return answer.get().get();
        } catch (ExecutionException second) {
            throw bothFailed(second);
        }
    }

    @Override
    public T get(long timeout, TimeUnit unit) throws InterruptedException, ExecutionException, TimeoutException {
        long end = surroundings.clock().nanos() + unit.toNanos(timeout);
        try {
            Object unused = primary.get(timeout, unit);
        } catch (ExecutionException | CancellationException failure) {
            // Looked at when it is settled.
        }
        settle();
        try {
            return answer.get(end - surroundings.clock().nanos(), TimeUnit.NANOSECONDS)
                    .get(end - surroundings.clock().nanos(), TimeUnit.NANOSECONDS);
        } catch (ExecutionException second) {
            throw bothFailed(second);
        }
    }

    /** If the fallback fails too, the failure of the primary is the outcome, with the fallback's suppressed. Not an error. */
    private ExecutionException bothFailed(ExecutionException failure) {
        Throwable second = causeOf(failure);
        if (first == null || second == first || Causes.carriesError(second)) {
            return failure;
        }
        Throwable outcome = report.outcomeOf(first, second);
        return outcome == second ? failure : new ExecutionException(outcome);
    }

    @Override
    public boolean isDone() {
        if (!isDone(primary)) {
            return false;
        }
        settle();
        return answer.isDone() && answer.join().isDone();
    }

    @Override
    public boolean cancel(boolean mayInterruptIfRunning) {
        if (answer.isDone()) {
            return answer.join().cancel(mayInterruptIfRunning);
        }
        boolean cancelled = primary.cancel(mayInterruptIfRunning);
        if (cancelled) {
            settle();
        }
        return cancelled;
    }

    @Override
    public boolean isCancelled() {
        return answer.isDone() ? answer.join().isCancelled() : primary.isCancelled();
    }
}
