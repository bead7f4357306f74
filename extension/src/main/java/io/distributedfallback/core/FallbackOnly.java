package io.distributedfallback.core;

import java.util.concurrent.Callable;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Future;
import java.util.function.BooleanSupplier;

/** Where a breaker has been taken away: the fallback after a failure that uses it. Nothing is counted. */
final class FallbackOnly implements Guard {

    private final Surroundings surroundings;

    FallbackOnly(Surroundings surroundings) {
        this.surroundings = surroundings;
    }

    @Override
    public <T> T call(Callable<T> primary, Fallback<T> fallback, FailureRules rules) throws Exception {
        try {
            return primary.call();
        } catch (Throwable thrown) {
            if (!usesFallback(thrown, rules)) {
                throw thrown;
            }
            return after(thrown, fallback);
        }
    }

    @Override
    public <T> CompletionStage<T> callStage(
            Callable<? extends CompletionStage<T>> primary,
            Fallback<? extends CompletionStage<T>> fallback,
            FailureRules rules) {
        return new StageCall<>(surroundings.background(), fallback, new Unreported(rules)).start(primary);
    }

    @Override
    public <T> Future<T> callFuture(
            Callable<? extends Future<T>> primary, Fallback<? extends Future<T>> fallback, FailureRules rules) {
        return new GuardedFuture<T>(surroundings, fallback, new Unreported(rules)).start(primary);
    }

    private static boolean usesFallback(Throwable thrown, FailureRules rules) {
        return !Causes.carriesError(thrown) && rules.classify(thrown).kind().usesFallback();
    }

    private record Unreported(FailureRules rules) implements Report {

        @Override
        public void succeeded() {}

        @Override
        public boolean failed(Throwable thrown) {
            return usesFallback(thrown, rules);
        }

        @Override
        public boolean mayWriteAfterSuccess() {
            return false;
        }

        @Override
        public void askWhenOverdue(BooleanSupplier isDone) {}
    }

    /** If the fallback fails too, the failure of the primary is the outcome, with the fallback's suppressed. */
    static <T> T after(Throwable thrown, Fallback<T> fallback) {
        try {
            return Unchecked.call(() -> fallback.answer(() -> thrown));
        } catch (Throwable second) {
            Causes.keepInterrupt(second);
            if (second != thrown) {
                if (Causes.carriesError(second)) {
                    throw second;
                }
                Causes.suppress(second, thrown);
            }
            throw Unchecked.sneaky(thrown);
        }
    }
}
