package io.distributedfallback.core;

import java.util.concurrent.Callable;
import java.util.concurrent.CompletionStage;

/** The last step of a guarded call: the fallback after a failure. All of it where a breaker has been taken away. */
public final class FallbackOnly {

    private FallbackOnly() {}

    /** Calls the primary, and the fallback if the primary fails in a way that uses it. Nothing is counted. */
    public static <T> T call(Callable<T> primary, Fallback<T> fallback, FailureRules rules) throws Exception {
        try {
            return primary.call();
        } catch (Throwable thrown) {
            if (!usesFallback(thrown, rules)) {
                throw thrown;
            }
            return after(thrown, fallback);
        }
    }

    /** The same for a primary whose outcome is that of a stage. */
    public static <T> CompletionStage<T> callStage(
            Callable<? extends CompletionStage<T>> primary,
            Fallback<? extends CompletionStage<T>> fallback,
            FailureRules rules)
            throws Exception {
        StageOutcome<T> outcome = new StageOutcome<>();
        CompletionStage<T> stage;
        try {
            stage = primary.call();
        } catch (Throwable thrown) {
            if (!usesFallback(thrown, rules)) {
                throw thrown;
            }
            outcome.fallBack(thrown, fallback);
            return outcome.stage();
        }
        if (stage == null) {
            return null;
        }
        outcome.passCancellationTo(stage);
        stage.whenComplete((answer, thrown) -> {
            if (thrown == null) {
                outcome.succeed(answer);
            } else if (usesFallback(thrown, rules)) {
                outcome.fallBack(thrown, fallback);
            } else {
                outcome.fail(thrown);
            }
        });
        return outcome.stage();
    }

    private static boolean usesFallback(Throwable thrown, FailureRules rules) {
        return !Causes.carriesError(thrown) && rules.classify(thrown).kind().usesFallback();
    }

    /** If the fallback fails too, the failure of the primary is the outcome, with the fallback's suppressed. */
    static <T> T after(Throwable thrown, Fallback<T> fallback) {
        try {
            return Unchecked.call(() -> fallback.answer(() -> thrown));
        } catch (Throwable second) {
            if (second instanceof InterruptedException) {
                Thread.currentThread().interrupt();
            }
            if (second != thrown) {
                if (Causes.carriesError(second)) {
                    throw second;
                }
                thrown.addSuppressed(second);
            }
            throw Unchecked.sneaky(thrown);
        }
    }
}
