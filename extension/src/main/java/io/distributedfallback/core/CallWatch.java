package io.distributedfallback.core;

import io.distributedfallback.Degraded.Answer;
import java.util.function.Supplier;

/**
 * Counts the calls of one breaker, with those of its keys, shows its fallbacks and probes to whoever watches, and has it
 * noted what answered instead of the primary. While nobody does, a call that the primary answers pays one look at a field
 * that never changes.
 */
final class CallWatch {

    private final String breaker;
    private final CallMeter meter;
    private final Tracing tracing;
    private final Supplier<Notes> notes;

    private CallWatch(String breaker, Instruments instruments) {
        this.breaker = breaker;
        this.meter = instruments.meter(breaker).orElse(null);
        this.tracing = instruments.tracing();
        this.notes = instruments.notes();
    }

    static CallWatch of(String breaker, Instruments instruments) {
        return new CallWatch(breaker, instruments);
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

    /** Where a call is noted that this thread makes. */
    Notes caller() {
        return notes.get();
    }

    /** A fallback that is done when it returns, on the thread that made the call. */
    <C, T> Fallback<C, T> over(Fallback<C, T> fallback, FallbackReason reason) {
        return watched(fallback, reason, caller(), false);
    }

    /** As {@link #overLater(Fallback, FallbackReason, Notes)}, on the thread that made the call. */
    <C, T> Fallback<C, T> overLater(Fallback<C, T> fallback, FallbackReason reason) {
        return overLater(fallback, reason, caller());
    }

    /**
     * A fallback that returns a stage or a future, and is done when that is. A future that neither is done nor tells when it
     * will be has done its work when it is handed over, as far as is known.
     *
     * @param caller where the call is noted
     */
    <C, T> Fallback<C, T> overLater(Fallback<C, T> fallback, FallbackReason reason, Notes caller) {
        return watched(fallback, reason, caller, true);
    }

    private <C, T> Fallback<C, T> watched(
            Fallback<C, T> fallback, FallbackReason reason, Notes caller, boolean endsLater) {
        if (caller == Notes.NONE && isUnwatched(fallback, reason)) {
            return fallback;
        }
        return (context, failure) -> {
            if (fallback.isNone(context)) {
                if (reason != FallbackReason.FAILED) {
                    count(CallOutcome.REJECTED);
                }
                note(caller, Origin.UNAVAILABLE);
                return fallback.answer(context, failure);
            }
            Tracing.Trace trace = tracing.fallback(breaker, reason);
            T answer;
            try {
                answer = endsLater && caller != Notes.NONE
                        ? InheritedNotes.during(caller, () -> fallback.answer(context, failure))
                        : fallback.answer(context, failure);
            } catch (Throwable thrown) {
                trace.leave();
                ended(trace, thrown);
                note(caller, Origin.ofFailure(thrown));
                throw thrown;
            }
            trace.leave();
            if (caller == Notes.NONE) {
                FallbackEnding ending = new FallbackEnding(thrown -> ended(trace, thrown));
                if (endsLater) {
                    ending.with(answer);
                } else {
                    ending.now(null);
                }
                return answer;
            }
            Origin origin = fallback.originOf(context);
            FallbackEnding ending = new FallbackEnding(thrown -> {
                ended(trace, thrown);
                note(caller, thrown == null ? origin : Origin.ofFailure(thrown));
            });
            if (endsLater) {
                return ending.before(answer);
            }
            ending.now(null);
            return answer;
        };
    }

    /** Whether there is nothing to count or to show; a failure of the primary has been counted, and has nothing below. */
    private boolean isUnwatched(Fallback<?, ?> fallback, FallbackReason reason) {
        return (meter == null && tracing == Tracing.NONE) || (fallback.isNone() && reason == FallbackReason.FAILED);
    }

    private void note(Notes caller, Origin origin) {
        if (caller != Notes.NONE) {
            caller.add(new Answer(breaker, origin.rung(), origin.age()));
        }
    }

    /** @param thrown null if it did well */
    private void ended(Tracing.Trace trace, Throwable thrown) {
        count(thrown == null ? CallOutcome.FALLBACK_RETURNED : CallOutcome.FALLBACK_THREW);
        if (thrown != null) {
            trace.failed(thrown);
        }
        trace.end();
    }
}
