package io.distributedfallback.core;

import java.util.concurrent.Callable;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.RejectedExecutionException;

/**
 * A guarded call whose outcome is that of a stage, on whatever thread that completes.
 *
 * <p>The thread that completes the primary's stage may be one that must not block, of an event loop say. So what can
 * wait for the store, and the fallback, run on a managed thread; a success while healthy passes straight through.
 *
 * @param <T> the type of the answer
 */
final class StageCall<T> {

    private final CircuitBreaker breaker;
    private final Background background;
    private final Fallback<? extends CompletionStage<T>> fallback;
    private final FailureRules rules;
    private final StageOutcome<T> outcome = new StageOutcome<>();

    StageCall(
            CircuitBreaker breaker,
            Background background,
            Fallback<? extends CompletionStage<T>> fallback,
            FailureRules rules) {
        this.breaker = breaker;
        this.background = background;
        this.fallback = fallback;
        this.rules = rules;
    }

    CompletionStage<T> start(Callable<? extends CompletionStage<T>> primary) {
        Admission admission = breaker.admit();
        if (admission == Admission.REJECTED) {
            return Unchecked.call(() -> fallback.answer(breaker::rejection));
        }
        if (admission == Admission.OF_THE_PROBE) {
            return Unchecked.call(primary::call);
        }
        long started = breaker.outcomes().startedAt();
        CompletionStage<T> stage;
        try {
            stage = primary.call();
        } catch (Throwable thrown) {
            // The outcome is that of the stage: a failure before there is one ends the stage as well.
            settle(thrown, started, admission);
            return outcome.stage();
        }
        if (stage == null) {
            breaker.outcomes().succeeded(started, admission);
            return null;
        }
        stage.whenComplete((answer, thrown) -> {
            if (thrown != null) {
                offload(() -> settle(thrown, started, admission));
            } else if (breaker.outcomes().mayWriteAfterSuccess(admission)) {
                offload(() -> {
                    breaker.outcomes().succeeded(started, admission);
                    outcome.succeed(answer);
                });
            } else {
                breaker.outcomes().succeeded(started, admission);
                outcome.succeed(answer);
            }
        });
        outcome.passCancellationTo(stage);
        return outcome.stage();
    }

    private void settle(Throwable thrown, long startedNanos, Admission admission) {
        try {
            if (breaker.outcomes().failed(thrown, startedNanos, admission, rules)) {
                outcome.fallBack(thrown, fallback);
            } else {
                outcome.fail(thrown);
            }
        } catch (RuntimeException | Error unexpected) {
            // Whatever happens, a caller must not wait for ever.
            outcome.fail(unexpected);
            throw unexpected;
        }
    }

    private void offload(Runnable task) {
        try {
            background.run(task);
        } catch (RejectedExecutionException e) {
            task.run();
        }
    }
}
