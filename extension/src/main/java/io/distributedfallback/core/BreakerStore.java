package io.distributedfallback.core;

import io.distributedfallback.RetryAfter;
import java.util.List;
import java.util.Optional;

/**
 * Where breakers live: the one port between the engine and a database. One contract test runs against every
 * implementation.
 *
 * <p><b>Atomicity.</b> Each method is one atomic change, whole or not at all, whatever else other threads and other
 * instances do to the same row; changes of one row happen one after the other. A write tells in its answer whether
 * <em>it</em> made a transition: for each transition of a row exactly one call, anywhere, gets it in its {@link Change},
 * and the history, where the store keeps one, gains exactly one entry with it, in the same atomic step.
 *
 * <p><b>Time.</b> "Now" is the store's clock, read after the row is held for the change. A row is returned with
 * remaining durations. A deadline has come when now is equal to it or later.
 *
 * <p><b>Versions and tokens.</b> Each change leaves the row with a {@linkplain BreakerRow#version() version} greater than
 * any before it, also if the row was deleted in between and came into being again; so does each lease with its token.
 * They can be compared within one store only.
 *
 * <p><b>Absence.</b> A row that does not exist is a closed breaker with no failures. It comes into being with the first
 * failure or cooldown, even one that has ended already.
 *
 * <p><b>Policies.</b> A write applies the policy that comes with it, whatever others applied before: instances whose
 * policies differ, as during a rolling deploy, share one count and one state. A failure opens if by then the count has
 * reached the threshold of the instance that adds it; nothing is judged anew without a write. The row keeps the threshold
 * of the last count ({@link io.distributedfallback.BreakerStatus.Standing#countedAgainst()}) for as long as there is one.
 *
 * <p><b>Overrides.</b> While an operator's override is in force no lease is granted and no verdict changes state or
 * count; failures are counted all the same, and open. An override that has run out is none.
 *
 * <p>Implementations are thread-safe, take part in no transaction of the caller, and may block; bounding the wait is
 * the business of {@code GuardedStore}. Any trouble of the store itself is a {@link StoreException}.
 */
public interface BreakerStore {

    /** Every row that {@linkplain BreakerRow#matters() matters}, as of one moment. */
    List<BreakerRow> readAll();

    /**
     * Adds failures.
     *
     * <ol>
     *   <li>Closed: adds {@code failures.count()} to the consecutive failures, notes the policy's threshold as that which
     *       they are counted against, and takes the failure for the last one. If that reaches the policy's threshold the breaker opens: opened now, the next probe one interval from now,
     *       no probe passed, the count as it then is.
     *   <li>Open: takes the failure for the last one and changes nothing else, above all neither the time of the
     *       opening nor that of the next probe.
     * </ol>
     *
     * @return the row as it now is, always present
     */
    Change recordFailures(String breaker, Failures failures, Policy policy);

    /**
     * Sets the consecutive failures of a closed breaker back to zero.
     *
     * @return empty if there was nothing to reset: no row, open, or no failures; nothing has been written then
     */
    Optional<Change> resetFailures(String breaker);

    /**
     * Starts or extends a cooldown, and takes the failure for the last one. The end is now plus the delay, or the moment
     * named, or, with neither, now plus the policy's cooldown; never later than now plus the policy's maximum, and
     * never earlier than the end in force already: a cooldown is only ever extended.
     *
     * @return the row as it now is, always present
     */
    Change coolDown(String breaker, Optional<RetryAfter> retryAfter, Failures failure, Policy policy);

    /**
     * Asks for the right to probe. Granted if the breaker is open, its next probe is due, no cooldown is running, no
     * override is in force, and no lease is running. The grant lasts for the policy's lease and carries a token greater
     * than any before it for this row ({@link io.distributedfallback.BreakerStatus.RecoveryProgress#token()} of the row
     * returned).
     *
     * @return empty if not granted; nothing has been written then
     */
    Optional<Change> acquireProbe(String breaker, Policy policy);

    /**
     * Gives a verdict and the lease back. It counts only if the breaker is open, the token is the one of the row and
     * its lease has not been given back before; a lease that has run out but was granted to nobody else still counts.
     *
     * <ol>
     *   <li>{@link ProbeVerdict#PASS}: one more pass in a row. With the policy's number of them the breaker closes: closed
     *       now, no failures, no passes, no next probe. Else the next probe is due one interval from now.
     *   <li>{@link ProbeVerdict#FAIL}: no passes; the next probe is due one interval from now.
     *   <li>{@link ProbeVerdict#INCONCLUSIVE}: passes as before; the next probe is due one interval from now.
     *   <li>{@link ProbeVerdict#ABANDONED}: passes as before, and the next probe stays due: the prober went away.
     * </ol>
     *
     * With an override in force, any verdict is taken for {@link ProbeVerdict#INCONCLUSIVE}.
     *
     * @return empty if the verdict did not count; nothing has been written then
     */
    Optional<Change> reportProbe(String breaker, long token, ProbeVerdict verdict, Policy policy);
}
