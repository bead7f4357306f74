package io.distributedfallback.core;

import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;

/**
 * The outcome of a guarded call that ends in a stage: that of the primary's stage or that of the fallback's. Cancelling
 * it cancels the one that is awaited.
 *
 * @param <T> the type of the answer
 */
final class StageOutcome<T> {

    private final Background background;
    private final Report report;
    private final CompletableFuture<T> outcome = new CompletableFuture<>();
    private volatile Written written = Written.NOTHING;

    /** @param report says what the outcome is if primary and fallback fail */
    StageOutcome(Background background, Report report) {
        this.background = background;
        this.report = report;
    }

    /** A failure is being written: the outcome is not there before that is done, or has taken too long. */
    void waitFor(Written failure) {
        written = failure;
    }

    CompletionStage<T> stage() {
        return outcome;
    }

    void succeed(T answer) {
        outcome.complete(answer);
    }

    void fail(Throwable thrown) {
        Throwable failure = causeOf(thrown);
        written.then(background, () -> outcome.completeExceptionally(failure));
    }

    void passCancellationTo(CompletionStage<T> awaited) {
        CompletableFuture<T> unused = outcome.whenComplete((answer, thrown) -> {
            if (outcome.isCancelled()) {
                awaited.toCompletableFuture().cancel(true);
            }
        });
    }

    /**
     * If the fallback fails too, the failure of the primary is the outcome, with the fallback's suppressed. A caller who
     * has given up by now needs no fallback.
     */
    <C> void fallBack(Throwable thrown, C context, Fallback<C, ? extends CompletionStage<T>> fallback) {
        if (outcome.isDone()) {
            return;
        }
        Throwable first = causeOf(thrown);
        try {
            CompletionStage<T> answer = fallback.answer(context, () -> first);
            if (answer == null) {
                written.then(background, () -> outcome.complete(null));
                return;
            }
            passCancellationTo(answer);
            answer.whenComplete((value, second) -> {
                if (second == null) {
                    written.then(background, () -> outcome.complete(value));
                } else {
                    failed(first, second);
                }
            });
        } catch (Throwable second) {
            Causes.keepInterrupt(second);
            bothFailed(first, second);
        }
    }

    /** What a stage failed with: without what stages put around it, and as the application threw it. */
    static Throwable causeOf(Throwable thrown) {
        Throwable inner = thrown;
        for (int depth = 0; depth < Causes.DEEPEST && inner instanceof CompletionException; depth++) {
            if (inner.getCause() == null) {
                break;
            }
            inner = inner.getCause();
        }
        return inner;
    }

    /** Whatever a strange exception does to whoever looks at it: a caller must not wait for ever. */
    private void failed(Throwable first, Throwable second) {
        try {
            bothFailed(first, causeOf(second));
        } catch (RuntimeException unreadable) {
            written.then(background, () -> outcome.completeExceptionally(first));
            throw unreadable;
        }
    }

    private void bothFailed(Throwable first, Throwable second) {
        if (Causes.carriesError(second)) {
            written.then(background, () -> outcome.completeExceptionally(second));
            return;
        }
        Throwable failure = report.outcomeOf(first, second);
        written.then(background, () -> outcome.completeExceptionally(failure));
    }
}
