package io.distributedfallback.core;

import java.util.concurrent.CompletionStage;
import java.util.concurrent.Future;

/** Where a breaker has been taken away: the fallback after a failure that uses it. No failure is counted. */
final class FallbackOnly implements Guard {

    private final Surroundings surroundings;
    private final CallWatch watch;

    /** @param watch that of the breaker that has been taken away */
    FallbackOnly(Surroundings surroundings, CallWatch watch) {
        this.surroundings = surroundings;
        this.watch = watch;
    }

    @Override
    public <C, T> T call(C context, Primary<C, T> primary, Fallback<C, T> fallback, FailureRules rules)
            throws Exception {
        T answer;
        try {
            answer = primary.answer(context);
        } catch (Throwable thrown) {
            watch.threw();
            if (!usesFallback(thrown, rules)) {
                throw thrown;
            }
            return after(thrown, context, watch.over(fallback, FallbackReason.FAILED));
        }
        watch.returned();
        return answer;
    }

    @Override
    public <C, T> CompletionStage<T> callStage(
            C context,
            Primary<C, ? extends CompletionStage<T>> primary,
            Fallback<C, ? extends CompletionStage<T>> fallback,
            FailureRules rules) {
        return new StageCall<C, T>(
                        surroundings.background(), context, fallback, new Unreported(rules, watch, watch.caller()))
                .start(primary);
    }

    @Override
    public <C, T> Future<T> callFuture(
            C context,
            Primary<C, ? extends Future<T>> primary,
            Fallback<C, ? extends Future<T>> fallback,
            FailureRules rules) {
        return new GuardedFuture<C, T>(surroundings, context, fallback, new Unreported(rules, watch, watch.caller()))
                .start(primary);
    }

    private static boolean usesFallback(Throwable thrown, FailureRules rules) {
        return !Causes.carriesError(thrown) && rules.classify(thrown).kind().usesFallback();
    }

    private record Unreported(FailureRules rules, CallWatch watch, Notes caller) implements Report {

        @Override
        public void succeeded() {
            watch.returned();
        }

        @Override
        public Recorded failed(Throwable thrown) {
            watch.threw();
            return new Recorded(usesFallback(thrown, rules), Written.NOTHING);
        }

        @Override
        public <C, T> Fallback<C, T> watched(Fallback<C, T> fallback) {
            return watch.overLater(fallback, FallbackReason.FAILED, caller);
        }
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
