package io.distributedfallback.core;

import io.distributedfallback.Classification;
import io.distributedfallback.FailureKind;
import java.time.Duration;
import java.util.Optional;

/** Tells the store how the primary of one breaker fared. While all is well there is nothing to tell. */
final class Outcomes {

    private static final long NOT_TIMED = 0;

    private final CircuitBreaker breaker;
    private final Recovering recovering;
    private final Engine engine;

    Outcomes(CircuitBreaker breaker, Recovering recovering, Engine engine) {
        this.breaker = breaker;
        this.recovering = recovering;
        this.engine = engine;
    }

    /** When the call began; the clock is read only if the policy wants to know how long a call took. */
    long startedAt() {
        return breaker.policy().slowCall().isPresent() ? engine.now() : NOT_TIMED;
    }

    /** Whether {@link #succeeded} may have to wait for the store. */
    boolean mayWriteAfterSuccess(Admission admission) {
        return admission.lease().isPresent()
                || breaker.policy().slowCall().isPresent()
                || breaker.seen().row().isCounting();
    }

    void succeeded(long startedNanos, Admission admission) {
        Optional<String> slow = tooSlow(startedNanos, "answered");
        if (slow.isPresent()) {
            record(Classification.of(FailureKind.SLOW), slow.get(), admission);
        } else if (admission.lease().isPresent()) {
            endTrial(admission.lease().get(), ProbeVerdict.PASS, "");
        } else if (breaker.seen().row().isCounting()) {
            engine.writes().write(store -> store.resetFailures(breaker.name()), breaker::see);
        }
    }

    private Optional<String> tooSlow(long startedNanos, String ending) {
        Optional<Duration> limit = breaker.policy().slowCall();
        if (limit.isEmpty() || startedNanos == NOT_TIMED) {
            return Optional.empty();
        }
        Duration took = Duration.ofNanos(engine.now() - startedNanos);
        return took.compareTo(limit.get()) > 0
                ? Optional.of(ending + " after " + took.toMillis() + " ms, slow-call is "
                        + limit.get().toMillis() + " ms")
                : Optional.empty();
    }

    /**
     * Classifies a failure and records it.
     *
     * @return whether the fallback answers; otherwise the caller gets the failure
     */
    boolean failed(Throwable thrown, long startedNanos, Admission admission, FailureRules rules) {
        try {
            return judge(thrown, startedNanos, admission, rules);
        } catch (RuntimeException | Error unreadable) {
            // Whatever a strange exception does to whoever looks at it: a lease is never kept.
            admission
                    .lease()
                    .ifPresent(lease -> endTrial(lease, ProbeVerdict.INCONCLUSIVE, FailureText.of(unreadable)));
            throw unreadable;
        }
    }

    private boolean judge(Throwable thrown, long startedNanos, Admission admission, FailureRules rules) {
        if (Causes.carriesError(thrown)) {
            admission.lease().ifPresent(lease -> endTrial(lease, ProbeVerdict.INCONCLUSIVE, FailureText.of(thrown)));
            return false;
        }
        Classification classification = rules.classify(thrown);
        if (classification.kind() == FailureKind.CANCELLED) {
            // Whoever cancelled had waited too long already: that the answer never came does not make it quicker.
            Optional<String> slow = tooSlow(startedNanos, "cancelled");
            if (slow.isPresent()) {
                record(Classification.of(FailureKind.SLOW), slow.get(), admission);
                return false;
            }
        }
        record(classification, FailureText.of(Causes.unwrap(thrown)), admission);
        return classification.kind().usesFallback();
    }

    private void record(Classification classification, String text, Admission admission) {
        FailureKind kind = classification.kind();
        if (admission.lease().isPresent()) {
            endTrial(admission.lease().get(), Recovering.verdictOf(kind), kind + " " + text);
        } else if (kind.counts()) {
            Policy policy = breaker.refreshPolicy();
            Failures failure = Failures.one(kind, text);
            engine.writes()
                    .write(store -> Optional.of(store.recordFailures(breaker.name(), failure, policy)), breaker::see);
        }
        alsoTell(classification, text);
    }

    /** What follows from a failure beside counts and verdicts: the pause of one kind, the word about another. */
    void alsoTell(Classification classification, String text) {
        if (classification.kind() == FailureKind.THROTTLED) {
            Policy policy = breaker.refreshPolicy();
            Failures failure = Failures.one(FailureKind.THROTTLED, text);
            engine.writes()
                    .write(
                            store -> Optional.of(
                                    store.coolDown(breaker.name(), classification.retryAfter(), failure, policy)),
                            breaker::see);
        } else if (classification.kind() == FailureKind.MISCONFIGURED) {
            engine.listener().misconfigured(breaker.name(), text);
        }
    }

    private void endTrial(Lease lease, ProbeVerdict verdict, String reason) {
        recovering.returned(lease);
        lease.end(verdict, reason);
    }
}
