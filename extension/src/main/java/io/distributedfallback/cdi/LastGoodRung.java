package io.distributedfallback.cdi;

import io.distributedfallback.Degraded;
import io.distributedfallback.cdi.GuardedMethod.End;
import io.distributedfallback.core.Origin;
import io.distributedfallback.lastgood.LastGoodResults;
import io.distributedfallback.lastgood.LastGoodResults.Result;
import io.distributedfallback.lastgood.ResultKey;
import jakarta.interceptor.InvocationContext;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Future;
import java.util.function.Supplier;

/**
 * Keeps what the primary returns, and answers with it.
 *
 * @param results those of the method
 * @param end when its outcome is known
 */
record LastGoodRung(LastGoodResults results, End end) implements Rung {

    /** Where a call carries its key to the fallback: the primary may have changed the arguments by then. */
    private static final String KEY = ResultKey.class.getName();

    @Override
    public BoundPrimary over(BoundPrimary primary) {
        return end == End.RETURN ? call -> keep(call, primary) : call -> keepLater(call, primary);
    }

    private Object keep(InvocationContext call, BoundPrimary primary) throws Exception {
        ResultKey key = results.keyOf(call.getParameters());
        Object answer;
        try {
            answer = primary.answer(call);
        } catch (Throwable thrown) {
            call.getContextData().put(KEY, key);
            throw thrown;
        }
        results.keep(key, answer);
        return answer;
    }

    private Object keepLater(InvocationContext call, BoundPrimary primary) throws Exception {
        ResultKey key = results.keyOf(call.getParameters());
        call.getContextData().put(KEY, key);
        Object answer = primary.answer(call);
        if (answer == null) {
            return null;
        }
        if (end == End.FUTURE) {
            Object keeping = results.keepOfFuture(key, (Future<?>) answer);
            return keeping;
        }
        return results.keepOfStage(key, (CompletionStage<?>) answer);
    }

    @Override
    public BoundFallback over(BoundFallback below) {
        return new Before(below);
    }

    private final class Before implements BoundFallback {

        private final BoundFallback below;

        Before(BoundFallback below) {
            this.below = below;
        }

        @Override
        public Object answer(InvocationContext call, Supplier<? extends Throwable> failure) throws Throwable {
            Optional<Result> found = results.find(keyOf(call));
            call.getContextData().remove(KEY);
            if (found.isEmpty()) {
                return below.answer(call, failure);
            }
            call.getContextData()
                    .put(
                            ORIGIN,
                            new Origin(
                                    Degraded.Rung.LAST_GOOD,
                                    Optional.of(found.get().age())));
            Object value = found.get().value();
            // One of its own for each caller, who may complete or cancel it.
            return end == End.RETURN ? value : CompletableFuture.completedFuture(value);
        }

        @Override
        public boolean isNone(InvocationContext call) {
            return below.isNone(call) && results.find(keyOf(call)).isEmpty();
        }

        private ResultKey keyOf(InvocationContext call) {
            return (ResultKey)
                    call.getContextData().computeIfAbsent(KEY, absent -> results.keyOf(call.getParameters()));
        }
    }
}
