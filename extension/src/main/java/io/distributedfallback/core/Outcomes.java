package io.distributedfallback.core;

import io.distributedfallback.Classification;
import io.distributedfallback.FailureKind;
import io.distributedfallback.RetryAfter;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.function.BooleanSupplier;

/** Tells the store how the primary of one breaker fared. While all is well there is nothing to tell. */
final class Outcomes {

    private final CircuitBreaker breaker;
    private final Engine engine;
    private final SlowCalls slowCalls;
    private final CoalescingWriter writer;
    private final OwnBreaker own;

    Outcomes(CircuitBreaker breaker, OwnBreaker own, Engine engine) {
        this.breaker = breaker;
        this.own = own;
        this.engine = engine;
        this.slowCalls = new SlowCalls(engine, this::overdue);
        this.writer = new CoalescingWriter(breaker, engine);
    }

    /** A call sets out for the primary. Watched only if the policy wants to know how long a call takes. */
    OngoingCall begin(Admission admission) {
        Optional<Duration> limit = breaker.policy().slowCall();
        if (limit.isEmpty()) {
            return admission == Admission.ROUTED
                    ? OngoingCall.HEALTHY
                    : new OngoingCall(admission, limit, engine.now());
        }
        OngoingCall call = new OngoingCall(admission, limit, engine.now());
        slowCalls.enter(call);
        return call;
    }

    /**
     * What becomes of a call that ends on another thread than it began.
     *
     * @param beganNanos when it began, if the call itself does not know
     */
    Report report(OngoingCall call, long beganNanos, FailureRules rules) {
        CallWatch watch = breaker.definition().watch();
        Notes caller = watch.caller();
        return new Report() {
            @Override
            public void succeeded() {
                watch.returned();
                Outcomes.this.succeeded(call);
            }

            @Override
            public Recorded failed(Throwable thrown) {
                watch.threw();
                return Outcomes.this.failed(thrown, call.begunAt(beganNanos), rules);
            }

            @Override
            public <C, T> Fallback<C, T> watched(Fallback<C, T> fallback) {
                return watch.overLater(fallback, FallbackReason.FAILED, caller);
            }

            @Override
            public boolean mayWriteAfterSuccess() {
                return Outcomes.this.mayWriteAfterSuccess(call);
            }

            @Override
            public void askWhenOverdue(BooleanSupplier isDone) {
                if (call.isTimed()) {
                    call.askWhenOverdue(isDone);
                }
            }
        };
    }

    /** Whether {@link #succeeded} may have to wait for the store. */
    private boolean mayWriteAfterSuccess(OngoingCall call) {
        return !call.isCounted() && (call.lease().isPresent() || isOverdue(call));
    }

    void succeeded(OngoingCall call) {
        if (!end(call)) {
            return;
        }
        if (isOverdue(call)) {
            record(Classification.of(FailureKind.SLOW), call.describe("answered", engine.now()), call)
                    .await();
        } else if (call.lease().isPresent()) {
            call.lease().get().end(ProbeVerdict.PASS, "");
        } else {
            succeed();
        }
    }

    /** The primary did well, where the shared breaker had sent the call. */
    void succeed() {
        writer.succeed();
        own.succeed();
    }

    /**
     * The primary failed, where the shared breaker had sent the call. What comes when the breaker is known to be open, as
     * from calls that were on their way when it opened, would change nothing: it is not written.
     *
     * @param beganNanos when the last of the calls began
     */
    Written fail(Failures failures, long beganNanos) {
        if (breaker.seen().isOpenForAll(engine.now())) {
            return Written.NOTHING;
        }
        own.fail(failures, beganNanos, breaker.policy());
        return writer.fail(failures, beganNanos);
    }

    /** Classifies a failure and has it recorded. */
    Recorded failed(Throwable thrown, OngoingCall call, FailureRules rules) {
        boolean counts = end(call);
        try {
            return judge(thrown, call, counts, rules);
        } catch (RuntimeException | Error unreadable) {
            // Whatever a strange exception does to whoever looks at it: a lease is never kept.
            call.lease().ifPresent(lease -> lease.end(ProbeVerdict.INCONCLUSIVE, FailureText.of(unreadable)));
            throw unreadable;
        }
    }

    /** @param counts false if the call has been counted when it was overdue: what comes later counts no more */
    private Recorded judge(Throwable thrown, OngoingCall call, boolean counts, FailureRules rules) {
        if (Causes.carriesError(thrown)) {
            call.lease().ifPresent(lease -> lease.end(ProbeVerdict.INCONCLUSIVE, FailureText.of(thrown)));
            return new Recorded(false, Written.NOTHING);
        }
        Classification classification = rules.classify(thrown);
        if (classification.kind().counts()) {
            engine.writes().callFailed(breaker.name(), thrown);
        }
        String text = FailureText.of(Causes.unwrap(thrown));
        Written written;
        if (!counts) {
            written = alsoTell(classification, text);
        } else if (classification.kind() == FailureKind.CANCELLED && isOverdue(call)) {
            // Whoever cancelled had waited too long already: that the answer never came does not make it quicker.
            written = record(Classification.of(FailureKind.SLOW), call.describe("cancelled", engine.now()), call);
        } else {
            written = record(classification, text, call);
        }
        return new Recorded(classification.kind().usesFallback(), written);
    }

    /**
     * A call has come back.
     *
     * @return whether its outcome counts
     */
    private boolean end(OngoingCall call) {
        if (call.isTimed()) {
            slowCalls.leave(call);
        }
        if (call.lease().isPresent()) {
            call.lease().get().returned();
        }
        return call.count();
    }

    /** The clock is read only for calls that are timed. */
    private boolean isOverdue(OngoingCall call) {
        return call.isTimed() && slowCalls.isOverdue(call);
    }

    /** Calls have not come back in time. They may yet, and until then a trial among them is on its way. */
    private void overdue(List<OngoingCall> calls) {
        String text = calls.get(0).describe("still on its way", engine.now());
        calls.forEach(call ->
                call.lease().ifPresent(lease -> lease.end(ProbeVerdict.FAIL, FailureKind.SLOW + " " + text)));
        List<OngoingCall> routed =
                calls.stream().filter(call -> call.lease().isEmpty()).toList();
        if (!routed.isEmpty()) {
            long ramp = routed.stream().mapToLong(OngoingCall::ramp).max().orElse(0);
            long began = routed.stream()
                    .mapToLong(OngoingCall::startedNanos)
                    .reduce((one, other) -> one - other > 0 ? one : other)
                    .orElseThrow();
            fail(new Failures(routed.size(), FailureKind.SLOW, text, ramp), began);
        }
    }

    /** A probe that the stand-in had granted has ended, and left this row. */
    void probedAlone(ProbeVerdict verdict, Sighting left) {
        writer.probedAlone(verdict, left);
    }

    /** How many failures the shared store gets if it is back now. */
    int failuresToHandOver() {
        return writer.failuresToHandOver();
    }

    /** Whether nothing waits to be written. */
    boolean isQuiet() {
        return writer.isIdle();
    }

    /** Whether no call is on its way, as far as they are watched, and nothing is to be written. */
    boolean isIdle() {
        return slowCalls.isEmpty() && writer.isIdle();
    }

    /** Counts nothing more that is not asked for. */
    void stop() {
        slowCalls.stop();
    }

    /** The application stops: whatever the shared store has not been told, it is told now or never. */
    void handOverLast() {
        writer.handOverLast();
    }

    private Written record(Classification classification, String text, OngoingCall call) {
        FailureKind kind = classification.kind();
        if (call.lease().isPresent()) {
            call.lease().get().end(Recovering.verdictOf(kind), kind + " " + text);
        } else if (kind.counts()) {
            return fail(new Failures(1, kind, text, call.ramp()), call.startedNanos());
        }
        return alsoTell(classification, text);
    }

    /** What follows from a failure that is not counted: the pause of one kind, the word about another. */
    Written alsoTell(Classification classification, String text) {
        if (classification.kind() == FailureKind.THROTTLED) {
            RetryAfter asked = classification
                    .retryAfter()
                    .orElseGet(() -> new RetryAfter.In(breaker.refreshPolicy().cooldown()));
            return writer.pause(asked, Failures.one(FailureKind.THROTTLED, text));
        }
        if (classification.kind() == FailureKind.MISCONFIGURED) {
            engine.listener().misconfigured(breaker.name(), text);
        }
        return Written.NOTHING;
    }
}
