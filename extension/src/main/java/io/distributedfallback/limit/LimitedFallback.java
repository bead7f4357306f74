package io.distributedfallback.limit;

import io.distributedfallback.Classification;
import io.distributedfallback.FailureKind;
import io.distributedfallback.core.Causes;
import io.distributedfallback.core.Fallback;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Supplier;

/**
 * A fallback under a limit. A permit is for the beginning of a call. Its turn ends when the outcome is known: that of a
 * stage when it completes, that of a {@code Future} that is no stage when it is handed over, because it tells nobody when
 * it is done.
 */
final class LimitedFallback<C, T> implements Fallback<C, T> {

    /** How many causes are looked at; chains of them may bite their own tail. */
    private static final int DEEPEST = 64;

    private final Fallback<C, T> below;
    private final Limit limit;
    private final LimitedMethod method;

    LimitedFallback(Fallback<C, T> below, Limit limit, LimitedMethod method) {
        this.below = below;
        this.limit = limit;
        this.method = method;
    }

    @Override
    public T answer(C context, Supplier<? extends Throwable> failure) throws Throwable {
        long begun = limit.enter(method.breaker());
        T answer;
        try {
            answer = below.answer(context, failure);
        } catch (Throwable thrown) {
            limit.leave();
            judge(thrown, failure, begun);
            throw thrown;
        }
        if (method.endsLater() && answer instanceof CompletionStage<?> stage) {
            follow(stage, failure, begun);
        } else {
            limit.leave();
            if (!method.endsLater() || !(answer instanceof Future<?>)) {
                limit.succeeded();
            }
        }
        return answer;
    }

    /** One that nobody may follow is the caller's all the same. */
    private void follow(CompletionStage<?> stage, Supplier<? extends Throwable> failure, long begun) {
        AtomicBoolean left = new AtomicBoolean();
        try {
            stage.whenComplete((value, thrown) -> {
                leave(left);
                if (thrown == null) {
                    limit.succeeded();
                } else {
                    judge(thrown, failure, begun);
                }
            });
        } catch (RuntimeException e) {
            leave(left);
        }
    }

    private void leave(AtomicBoolean left) {
        if (left.compareAndSet(false, true)) {
            limit.leave();
        }
    }

    /** A fallback that hands on the failure that it was given, or has an error of the virtual machine, is in no trouble. */
    private void judge(Throwable thrown, Supplier<? extends Throwable> failure, long begun) {
        if (Causes.carriesError(thrown)) {
            return;
        }
        Classification classification = method.rules().classify(thrown);
        FailureKind kind = classification.kind();
        if ((kind != FailureKind.THROTTLED && !kind.counts()) || isFrom(failure.get(), thrown)) {
            return;
        }
        if (kind == FailureKind.THROTTLED) {
            limit.throttled(classification, method.policy().get(), thrown);
        } else {
            limit.failed(begun, thrown);
        }
    }

    private static boolean isFrom(Throwable given, Throwable thrown) {
        Throwable seen = thrown;
        for (int depth = 0; seen != null && depth < DEEPEST; depth++) {
            if (seen == given) {
                return true;
            }
            seen = seen.getCause();
        }
        return false;
    }
}
