package io.distributedfallback.core;

import io.distributedfallback.Classification;
import io.distributedfallback.FailureKind;
import io.distributedfallback.Recovery;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.atomic.AtomicReference;

/**
 * The way back of one breaker.
 *
 * <ol>
 *   <li>A call that meets the open breaker notices that a probe is due and hands it over for after its request.
 *   <li>The probe asks the store for the lease. Of all instances one gets it, with a token; the others do nothing.
 *   <li>The holder asks the provider and reports the verdict with the token. A verdict that comes after the lease went
 *       to another changes nothing: the store sees to that.
 *   <li>Once it has closed, calls are let through to the primary in a growing share, if the policy wants it so.
 * </ol>
 *
 * With {@link Recovery#TRIAL} the call that gets the lease is itself the test. An instance holds one lease of a breaker
 * at a time, and asks for no other while its own probe or trial call is still on its way. One that never comes back is
 * given up after 10 minutes, and twice that time after each that follows it: no more than a few threads are lost to a
 * provider that swallows every probe, and yet the breaker closes one day.
 */
final class Recovering {

    private static final long PATIENCE_NANOS = Duration.ofMinutes(10).toNanos();
    private static final long LONGEST_PATIENCE_NANOS = Duration.ofDays(1).toNanos();

    private final CircuitBreaker breaker;
    private final Engine engine;
    private final Pending probe = new Pending();
    private final AtomicReference<Attempt> current = new AtomicReference<>();
    private volatile long patienceNanos = PATIENCE_NANOS;
    private volatile long askAgainNanos;
    private volatile boolean stopped;

    Recovering(CircuitBreaker breaker, Engine engine) {
        this.breaker = breaker;
        this.engine = engine;
        this.askAgainNanos = engine.now();
    }

    /** A call has met the open breaker. */
    Admission whileOpen(Sighting seen, long now) {
        if (isProbing()) {
            return Admission.OF_THE_PROBE;
        }
        Admission rejected = Admission.rejected(seen, now);
        if (!seen.isProbeDue(now)) {
            return rejected;
        }
        if (breaker.policy().recovery() == Recovery.TRIAL) {
            return now - askAgainNanos >= 0 ? tryTrial().orElse(rejected) : rejected;
        }
        if (now - askAgainNanos >= 0 && probe.claim(now)) {
            handOver();
        }
        return rejected;
    }

    /**
     * A call that the closed breaker lets pass. While the share of those that the primary gets grows, it is drawn by lot
     * whether this one is among them: so that an instance with one call a minute does its part as one with thousands does.
     */
    Admission onceClosed(Sighting seen, Admission admitted, long now) {
        if (!admitted.isOrdinary() || !seen.isRampingUp(now)) {
            return admitted;
        }
        double needed = engine.draw();
        return needed < seen.share(now)
                ? Admission.ofTheShare(seen.row().recovery().token())
                : Admission.beyondTheShare(seen, now, needed);
    }

    /** Whether this call is made by the probe itself, by way of a guarded method. */
    private boolean isProbing() {
        Attempt attempt = current.get();
        return attempt != null && attempt.lease != null && attempt.lease.isProbedByThisThread();
    }

    private void handOver() {
        try {
            engine.background().afterRequest(this::probeIfDue);
        } catch (RejectedExecutionException e) {
            probe.release();
            engine.listener().storeTrouble(StoreException.noThread(e));
        }
    }

    private Optional<Admission> tryTrial() {
        Optional<Lease> lease = acquire();
        if (lease.isEmpty()) {
            engine.copy().refreshAfterRequest(engine.now());
        }
        return lease.map(Admission::trial);
    }

    /** Probes if a probe is due and the lease can be had. On a background thread. */
    void probeIfDue() {
        probe.release();
        if (!breaker.seen().isProbeDue(engine.now())) {
            return;
        }
        Optional<Lease> lease = acquire();
        if (lease.isEmpty()) {
            engine.copy().refresh();
            return;
        }
        try {
            ask(lease.get());
        } finally {
            returned(lease.get());
        }
    }

    private void ask(Lease lease) {
        Classification classification = null;
        String reason = "";
        long started = engine.now();
        Tracing.Trace trace = breaker.definition().watch().probe();
        lease.proberEnters();
        try {
            if (!breaker.probe(lease.policy()).passes()) {
                classification = Classification.of(FailureKind.OUTAGE);
                reason = "the probe returned false";
            }
        } catch (Throwable thrown) {
            trace.failed(thrown);
            engine.writes().callFailed(breaker.name(), thrown);
            classification = Causes.carriesError(thrown)
                    ? Classification.of(FailureKind.LOCAL)
                    : breaker.definition().rules().classify(thrown);
            reason = FailureText.of(Causes.unwrap(thrown));
        } finally {
            lease.proberLeaves();
            trace.leave();
        }
        if (classification == null && isSlow(lease.policy(), engine.now() - started)) {
            classification = Classification.of(FailureKind.SLOW);
            reason = "the probe passed, but later than slow-call";
        }
        ProbeVerdict verdict = classification == null ? ProbeVerdict.PASS : verdictOf(classification.kind());
        trace.found(lease.verdictOr(verdict));
        trace.end();
        if (classification == null) {
            lease.end(verdict, "");
        } else if (lease.end(verdict, classification.kind() + " " + reason)) {
            breaker.outcomes().alsoTell(classification, reason);
        }
    }

    private static boolean isSlow(Policy policy, long tookNanos) {
        return policy.slowCall()
                .map(limit -> Duration.ofNanos(tookNanos).compareTo(limit) > 0)
                .orElse(false);
    }

    /** Asks the store for the lease, unless this instance has an attempt under way. */
    private Optional<Lease> acquire() {
        Policy policy = breaker.refreshPolicy();
        Attempt attempt = new Attempt(engine.now());
        if (stopped || !begin(attempt)) {
            doNotAskForAWhile();
            return Optional.empty();
        }
        Optional<Sighting> granted = engine.writes()
                .write(
                        store -> store.acquireProbe(breaker.name(), policy),
                        breaker::see,
                        (store, late) -> store.reportProbe(
                                breaker.name(), late.row().recovery().token(), ProbeVerdict.ABANDONED, policy));
        if (granted.isEmpty()) {
            current.compareAndSet(attempt, null);
            doNotAskForAWhile();
            return Optional.empty();
        }
        Lease lease = new Lease(breaker, this, engine, granted.get(), policy);
        attempt.lease = lease;
        lease.watch();
        if (stopped) {
            lease.abandon();
        }
        return Optional.of(lease);
    }

    /** One at a time, unless the one before has been away for too long to be waited for. */
    private boolean begin(Attempt attempt) {
        Attempt before = current.get();
        boolean isLost = before != null && attempt.sinceNanos - before.sinceNanos >= patienceNanos;
        if ((before != null && !isLost) || !current.compareAndSet(before, attempt)) {
            return false;
        }
        if (isLost) {
            patienceNanos = Math.min(2 * patienceNanos, LONGEST_PATIENCE_NANOS);
        }
        return true;
    }

    /** Somebody else was quicker. What this instance knows is old; until it has read again, it does not ask. */
    private void doNotAskForAWhile() {
        askAgainNanos = engine.now() + engine.freshNanos();
    }

    /** The probe or the trial call under this lease has come back, with whatever verdict. */
    void returned(Lease lease) {
        Attempt attempt = current.get();
        if (attempt != null && attempt.lease == lease && current.compareAndSet(attempt, null)) {
            patienceNanos = PATIENCE_NANOS;
        }
    }

    /** Whether neither a probe nor a trial call is on its way. */
    boolean isIdle() {
        return current.get() == null;
    }

    /** Gives the lease back and asks for no more. */
    void stop() {
        stopped = true;
        Attempt attempt = current.get();
        if (attempt != null && attempt.lease != null) {
            attempt.lease.abandon();
        }
    }

    static ProbeVerdict verdictOf(FailureKind kind) {
        return kind.counts() ? ProbeVerdict.FAIL : ProbeVerdict.INCONCLUSIVE;
    }

    private static final class Attempt {
        private final long sinceNanos;
        private volatile Lease lease;

        Attempt(long sinceNanos) {
            this.sinceNanos = sinceNanos;
        }
    }
}
