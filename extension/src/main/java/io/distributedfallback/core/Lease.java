package io.distributedfallback.core;

import java.util.concurrent.RejectedExecutionException;

/**
 * The right to ask the provider, held by this instance until it ends it with a verdict. The first verdict is the only
 * one. While somebody holds a lease a watchdog is set: past the policy's {@code probe-timeout} the provider has failed,
 * and a probe under way is interrupted. So only an instance that dies leaves a lease to run out.
 */
final class Lease {

    private final CircuitBreaker breaker;
    private final Recovering recovering;
    private final Engine engine;
    private final long token;
    private final int epoch;
    private final Policy policy;
    private Background.Task watchdog = () -> {};
    private Thread prober;
    private ProbeVerdict ending;

    /**
     * @param recovering whose attempt it is
     * @param granted the row as the grant left it
     * @param policy the policy under which it was granted
     */
    Lease(CircuitBreaker breaker, Recovering recovering, Engine engine, Sighting granted, Policy policy) {
        this.breaker = breaker;
        this.recovering = recovering;
        this.engine = engine;
        this.token = granted.row().recovery().token();
        this.epoch = granted.epoch();
        this.policy = policy;
    }

    /** The probe or the trial call under it has come back. */
    void returned() {
        recovering.returned(this);
    }

    /** The policy under which it was granted. */
    Policy policy() {
        return policy;
    }

    synchronized void watch() {
        try {
            watchdog = engine.background().schedule(policy.probeTimeout(), this::overdue);
        } catch (RejectedExecutionException e) {
            // With no watchdog the lease runs out by itself if the provider never answers.
        }
    }

    /** From here to {@link #proberLeaves()} the current thread may be interrupted. */
    synchronized void proberEnters() {
        prober = Thread.currentThread();
    }

    synchronized void proberLeaves() {
        prober = null;
        // An interrupt that came a moment too late must not hit whatever the thread does next.
        Thread.interrupted();
    }

    /** Whether the current thread is asking the provider under this lease. */
    synchronized boolean isProbedByThisThread() {
        return prober == Thread.currentThread();
    }

    private void overdue() {
        synchronized (this) {
            // This is the watchdog. To take it back would interrupt the thread that has yet to report the verdict.
            watchdog = () -> {};
        }
        end(ProbeVerdict.FAIL, "no answer within " + policy.probeTimeout().toMillis() + " ms (probe-timeout)");
    }

    /** Takes the right back: the application stops. */
    void abandon() {
        end(ProbeVerdict.ABANDONED, "the application stops");
    }

    /** The verdict that ended it; while it has none, the one given. */
    synchronized ProbeVerdict verdictOr(ProbeVerdict verdict) {
        return ending == null ? verdict : ending;
    }

    /**
     * Ends the lease.
     *
     * @return whether this was its verdict; false if it had one already
     */
    boolean end(ProbeVerdict verdict, String reason) {
        synchronized (this) {
            if (ending != null) {
                return false;
            }
            ending = verdict;
            watchdog.cancel();
            if (prober != null && prober != Thread.currentThread()) {
                prober.interrupt();
            }
        }
        report(verdict);
        engine.listener().probed(breaker.name(), verdict, reason);
        return true;
    }

    private void report(ProbeVerdict verdict) {
        if (verdict == ProbeVerdict.ABANDONED && !StoreHealth.isOfStandIn(epoch)) {
            engine.writes().writeLast(store -> store.reportProbe(breaker.name(), token, verdict, policy), breaker::see);
            return;
        }
        // A token of the stand-in means nothing to the shared store, where another may hold the same number by now.
        if (!StoreHealth.isOfStandIn(epoch) || engine.writes().epoch() == epoch) {
            engine.writes()
                    .write(store -> store.reportProbe(breaker.name(), token, verdict, policy), breaker::see)
                    .filter(left -> StoreHealth.isOfStandIn(left.epoch()))
                    .ifPresent(left -> breaker.outcomes().probedAlone(verdict, left));
        }
    }
}
