package io.distributedfallback.core;

import java.util.concurrent.CompletionStage;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Future;

/**
 * Counts the calls of one breaker, with those of its keys, and shows its fallbacks and probes, to whoever watches. While
 * nobody does, a call that the primary answers pays one look at a field that never changes.
 */
final class CallWatch {

    private final String breaker;
    private final CallMeter meter;
    private final Tracing tracing;

    private CallWatch(String breaker, CallMeter meter, Tracing tracing) {
        this.breaker = breaker;
        this.meter = meter;
        this.tracing = tracing;
    }

    static CallWatch of(String breaker, Instruments instruments) {
        return new CallWatch(breaker, instruments.meter(breaker).orElse(null), instruments.tracing());
    }

    /** The primary answered. */
    void returned() {
        count(CallOutcome.PRIMARY_RETURNED);
    }

    /** The primary threw. */
    void threw() {
        count(CallOutcome.PRIMARY_THREW);
    }

    private void count(CallOutcome outcome) {
        if (meter != null) {
            meter.count(outcome);
        }
    }

    /** A probe begins. */
    Tracing.Trace probe() {
        return tracing.probe(breaker);
    }

    /** A fallback that is done when it returns. */
    <C, T> Fallback<C, T> over(Fallback<C, T> fallback, FallbackReason reason) {
        return watched(fallback, reason, false);
    }

    /**
     * A fallback that returns a stage or a future, and is done when that is. A future that neither is done nor tells when it
     * will be has done its work when it is handed over, as far as is known.
     */
    <C, T> Fallback<C, T> overLater(Fallback<C, T> fallback, FallbackReason reason) {
        return watched(fallback, reason, true);
    }

    private <C, T> Fallback<C, T> watched(Fallback<C, T> fallback, FallbackReason reason, boolean endsLater) {
        if (meter == null && tracing == Tracing.NONE) {
            return fallback;
        }
        if (fallback.isNone() && reason == FallbackReason.FAILED) {
            return fallback;
        }
        return (context, failure) -> {
            if (fallback.isNone(context)) {
                if (reason != FallbackReason.FAILED) {
                    count(CallOutcome.REJECTED);
                }
                return fallback.answer(context, failure);
            }
            Ending ending = new Ending(tracing.fallback(breaker, reason));
            T answer;
            try {
                answer = fallback.answer(context, failure);
            } catch (Throwable thrown) {
                ending.trace.leave();
                ending.accept(thrown);
                throw thrown;
            }
            ending.trace.leave();
            if (endsLater) {
                ending.with(answer);
            } else {
                ending.accept(null);
            }
            return answer;
        };
    }

    /** The end of one fallback. */
    private final class Ending {

        private final Tracing.Trace trace;

        Ending(Tracing.Trace trace) {
            this.trace = trace;
        }

        void with(Object answer) {
            if (answer instanceof CompletionStage<?> stage) {
                follow(stage);
            } else if (answer instanceof Future<?> future && isKnownToBeDone(future)) {
                accept(failureOf(future));
            } else {
                accept(null);
            }
        }

        /** One that nobody may follow is the caller's all the same. */
        private void follow(CompletionStage<?> stage) {
            try {
                stage.whenComplete((value, thrown) -> accept(thrown));
            } catch (RuntimeException e) {
                accept(null);
            }
        }

        /** The AsyncResult of Jakarta Enterprise Beans carries a value, and throws when it is asked. */
        private static boolean isKnownToBeDone(Future<?> future) {
            try {
                return future.isDone();
            } catch (RuntimeException e) {
                return false;
            }
        }

        /** @param thrown null if it did well */
        void accept(Throwable thrown) {
            count(thrown == null ? CallOutcome.FALLBACK_RETURNED : CallOutcome.FALLBACK_THREW);
            if (thrown != null) {
                trace.failed(thrown);
            }
            trace.end();
        }

        private static Throwable failureOf(Future<?> done) {
            try {
                Object unused = done.get();
                return null;
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
                return null;
            } catch (ExecutionException | RuntimeException e) {
                return e;
            }
        }
    }
}
