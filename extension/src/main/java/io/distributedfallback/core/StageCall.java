package io.distributedfallback.core;

import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.atomic.AtomicBoolean;

/**
 * A guarded call whose outcome is that of a stage, on whatever thread that completes.
 *
 * <p>The thread that completes the primary's stage may be one that must not block, of an event loop say, and may know
 * nothing of the application. So what can wait for the store, and the fallback, run on a managed thread and in the
 * caller's context; a success while healthy passes straight through. No thread waits for the write of a failure: the
 * outcome does, if the fallback was quicker.
 *
 * @param <C> what primary and fallback need
 * @param <T> the type of the answer
 */
final class StageCall<C, T> {

    private final Background background;
    private final C context;
    private final Fallback<C, ? extends CompletionStage<T>> fallback;
    private final Report report;
    private final StageOutcome<T> outcome;

    StageCall(Background background, C context, Fallback<C, ? extends CompletionStage<T>> fallback, Report report) {
        this.background = background;
        this.context = context;
        this.fallback = fallback;
        this.report = report;
        this.outcome = new StageOutcome<>(background, report);
    }

    /** The answer of code that is not guarded itself. Whatever it throws is the failure of the stage. */
    static <T> CompletionStage<T> of(Unchecked.Code<? extends CompletionStage<T>> code) {
        try {
            return code.run();
        } catch (Throwable thrown) {
            Causes.keepInterrupt(thrown);
            return CompletableFuture.failedFuture(thrown);
        }
    }

    /** Makes the call. A failure before there is a stage is the failure of the stage, and settled at once. */
    CompletionStage<T> start(Primary<C, ? extends CompletionStage<T>> primary) {
        CompletionStage<T> stage;
        try {
            stage = primary.answer(context);
        } catch (Throwable thrown) {
            settle(thrown);
            Causes.keepInterrupt(thrown);
            return outcome.stage();
        }
        if (stage == null) {
            report.succeeded();
            return null;
        }
        follow(stage);
        return outcome.stage();
    }

    private void follow(CompletionStage<T> stage) {
        Executor callers = isComplete(stage) ? Runnable::run : background.callersContext();
        stage.whenComplete((answer, thrown) -> {
            if (thrown != null) {
                offload(callers, () -> settle(thrown), () -> outcome.fail(thrown));
            } else if (report.mayWriteAfterSuccess()) {
                offload(callers, () -> succeed(answer), () -> outcome.succeed(answer));
            } else {
                succeed(answer);
            }
        });
        outcome.passCancellationTo(stage);
    }

    /**
     * One that is complete is settled at once by the caller's thread, whose context a managed thread takes over. (Not each
     * subclass can be asked: a minimal stage cannot.)
     */
    private static boolean isComplete(CompletionStage<?> stage) {
        return stage.getClass() == CompletableFuture.class
                && stage.toCompletableFuture().isDone();
    }

    private void succeed(T answer) {
        report.succeeded();
        outcome.succeed(answer);
    }

    private void settle(Throwable thrown) {
        try {
            Recorded recorded = report.failed(thrown);
            outcome.waitFor(recorded.written());
            if (recorded.usesFallback()) {
                outcome.fallBack(thrown, context, report.watched(fallback));
            } else {
                outcome.fail(thrown);
            }
        } catch (RuntimeException | Error unexpected) {
            // Whatever happens, a caller must not wait for ever.
            outcome.fail(unexpected);
            throw unexpected;
        }
    }

    /** @param ifStopped what comes of it if the application stops before there is a thread */
    private void offload(Executor callers, Runnable task, Runnable ifStopped) {
        try {
            background.run(Background.Awaited.of(() -> inContext(callers, task), ifStopped));
        } catch (RejectedExecutionException e) {
            inContext(callers, task);
        }
    }

    /** A context that can no longer be had, of a component that has stopped, must not keep a caller waiting for ever. */
    private static void inContext(Executor callers, Runnable task) {
        AtomicBoolean begun = new AtomicBoolean();
        try {
            callers.execute(() -> {
                begun.set(true);
                task.run();
            });
        } catch (RuntimeException e) {
            if (begun.get()) {
                throw e;
            }
            task.run();
        }
    }
}
