package io.distributedfallback.core;

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
    public <C, T> T call(C context, Primary<C, T> primary, Fallback<C, T> fallback, FailureRules rules)
            throws Exception {
        try {
            return primary.answer(context);
        } catch (Throwable thrown) {
            if (!usesFallback(thrown, rules)) {
                throw thrown;
            }
            return after(thrown, context, fallback);
        }
    }

    @Override
    public <C, T> CompletionStage<T> callStage(
            C context,
            Primary<C, ? extends CompletionStage<T>> primary,
            Fallback<C, ? extends CompletionStage<T>> fallback,
            FailureRules rules) {
        return new StageCall<C, T>(surroundings.background(), context, fallback, new Unreported(rules)).start(primary);
    }

    @Override
    public <C, T> Future<T> callFuture(
            C context,
            Primary<C, ? extends Future<T>> primary,
            Fallback<C, ? extends Future<T>> fallback,
            FailureRules rules) {
        return new GuardedFuture<C, T>(surroundings, context, fallback, new Unreported(rules)).start(primary);
    }

    private static boolean usesFallback(Throwable thrown, FailureRules rules) {
        return !Causes.carriesError(thrown) && rules.classify(thrown).kind().usesFallback();
    }

    private record Unreported(FailureRules rules) implements Report {

        @Override
        public void succeeded() {}

        @Override
        public Recorded failed(Throwable thrown) {
            return new Recorded(usesFallback(thrown, rules), Written.NOTHING);
        }

        @Override
        public boolean mayWriteAfterSuccess() {
            return false;
        }

        @Override
        public void askWhenOverdue(BooleanSupplier isDone) {}
    }

    /** If the fallback fails too, the failure of the primary is the outcome, with the fallback's suppressed. */
    static <C, T> T after(Throwable thrown, C context, Fallback<C, T> fallback) {
        try {
            return fallback.answer(context, () -> thrown);
        } catch (Throwable second) {
            Causes.keepInterrupt(second);
            if (second != thrown) {
                if (Causes.carriesError(second)) {
                    throw Unchecked.sneaky(second);
                }
                Causes.suppress(second, thrown);
            }
            throw Unchecked.sneaky(thrown);
        }
    }
}
