package io.distributedfallback.core;

import io.distributedfallback.OperatorCommand;
import io.distributedfallback.RetryAfter;
import java.time.Duration;
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
 * policies differ, as during a rolling deploy, share one count and one state. Failures open by the threshold, the ratio
 * and the quorum of the instance that adds them; nothing is judged anew without a write. The row keeps the threshold
 * of the last count ({@link io.distributedfallback.BreakerStatus.Standing#countedAgainst()}) for as long as there is one.
 *
 * <p><b>Overrides.</b> While an operator's override is in force no lease is granted and no verdict changes state or
 * count; failures are counted all the same, and open. An override that has run out is none.
 *
 * <p>Implementations are thread-safe, take part in no transaction of the caller, and may block; bounding the wait is
 * the business of {@code GuardedStore}. Any trouble of the store itself is a {@link StoreException}.
 */
public interface BreakerStore {

    /** With no more instances than this, all that failed are kept; a larger quorum keeps as many as it needs. */
    int INSTANCES_KEPT = 16;

    /** So many of the failures counted are kept for the history, the last ones; of those of one write the last. */
    int FAILURES_KEPT = 5;

    /** With so many characters of the text of each. */
    int LONGEST_KEPT = 200;

    /** Every row that {@linkplain BreakerRow#matters() matters}, as of one moment. */
    List<BreakerRow> readAll();

    /**
     * Finds out whether this store can be written, and changes nothing. Asked while the store is taken for lost, before the
     * read that may end that.
     *
     * @throws StoreException if it can be read at most, as a replica, or with a role that lacks a right
     */
    default void requireWritable() {}

    /**
     * Takes in how calls fared, in the order in which they ended. Nothing but successes never makes a row.
     *
     * <ol>
     *   <li>Open: changes nothing, above all neither the time of the opening nor that of the next probe, and need not wait
     *       for the row. Only while an override is in force, and where it waited for the write that opened, does it take the
     *       last failure.
     *   <li>Closed by probes, or from open by an operator, after the last call that failed {@linkplain Evidence#age() began}:
     *       changes nothing either. What such a call has seen is older than what the probes have.
     *   <li>Closed, runs: the first run is added to the consecutive failures; a success sets them to zero, and what is
     *       left is the last run. What is held against the policy's threshold, which the row notes as that which they are
     *       counted against, is the longest run that a failure of this write is in.
     *   <li>Closed, window: while one is under way, calls and failures are added to it, whatever the policy. With none under
     *       way, a failure begins one if the policy has a failure ratio: from zero, and for the policy's window. Successes
     *       alone begin none.
     *   <li>Closed, instances: with a failure, this instance is one of those that failed. They are forgotten when no window
     *       is under way and a success sets the consecutive failures to zero, or has set them before a window
     *       ended. {@value #INSTANCES_KEPT} are kept, or as many as the policy's quorum if that is more; further ones are not
     *       taken in.
     *   <li>With a failure, and if as many instances as the quorum have failed, the breaker opens when the longest run has
     *       reached the threshold, or the window has the minimum of calls and the ratio of failures: opened now, the next
     *       probe one interval from now, no probe passed, the window at its end but still shown. If it was the threshold,
     *       that is the cause, and the consecutive failures are that longest run.
     *   <li>While the share of calls that go to the primary grows ({@link io.distributedfallback.BreakerStatus.RampUp}), and
     *       with no failure ratio in the policy, a failure whose {@linkplain Failures#ramp() ramp} is the token of the row is
     *       held against a threshold of 1; if that opens, the cause is {@link io.distributedfallback.TransitionCause#RAMP_UP}, and the entry of the
     *       history says how far the share had grown. Every opening ends the growth.
     * </ol>
     *
     * @return the row as it now is; present if there was a failure. Empty if there was none and nothing to change: no row,
     *     open, or neither failures in a row nor a window under way; nothing has been written then
     */
    Optional<Change> record(String breaker, Evidence evidence, Policy policy);

    /**
     * What became of a transaction of this store that ended with a {@link StoreInDoubtException}.
     *
     * @param transaction its number
     * @return whether it was committed; empty if that is not known, or not yet
     */
    default Optional<Boolean> wasCommitted(long transaction) {
        return Optional.empty();
    }

    /**
     * Deletes rows that nobody needs: closed, with neither an override nor a cooldown in force nor a share of calls that
     * grows, and not changed for a while, whatever they counted. A store may delete only some at a time, and leaves out those that are being changed.
     *
     * @param idle for how long they must have been left alone
     * @return how many it deleted
     */
    int retire(Duration idle);

    /**
     * Starts or extends a cooldown, and takes the failure for the last one. The end is now plus the delay, or the moment
     * named, or, with neither, now plus the policy's cooldown; never later than now plus the policy's maximum, and
     * never earlier than the end in force already: a cooldown is only ever extended. A share of calls that was growing grows
     * from 0 again, over the same time, from the end of the cooldown on.
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
     *       now, no failures, no passes, no next probe; and with a ramp-up in the policy, the share of calls that go to the
     *       primary grows over that time, from now on or from the end of a cooldown in force. Else the next probe is due one interval from now.
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

    /**
     * Carries out an operator's command, as {@link OperatorCommand.Action} describes it. An entry in the history is made in
     * the same atomic step, also if there was nothing to change. Makes a row where there is none, so that the entries of one
     * breaker are made one after the other.
     *
     * @return the row as it now is; with the transition if a reset closed it
     */
    Change command(String breaker, OperatorCommand command);

    /**
     * The history, the newest entry first: one for each transition, with the evidence as it was when the change was decided,
     * and one for each command.
     *
     * @return at most as many entries as asked for
     */
    List<HistoryEntry> history(HistoryQuery query);

    /**
     * Deletes entries of the history that are older than that. A store may delete only some at a time; instances that ask at
     * the same moment do not do it twice: one does it, and the others delete nothing.
     *
     * @return how many it deleted
     */
    int trimHistory(Duration retention);
}
