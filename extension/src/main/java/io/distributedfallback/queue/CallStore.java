package io.distributedfallback.queue;

import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * Where calls wait. Each method is one statement; whatever fails is a
 * {@link io.distributedfallback.core.StoreException}. Thread-safe.
 *
 * <p>What holds, however many instances there are:
 *
 * <ol>
 *   <li>A call is leased to one at a time: {@link #take} gives out no call whose lease has not ended.
 *   <li>What is done to a taken call is done only if the lease's token is still the call's.
 *   <li>Of the calls of a queue with the same key only the first one pending is given out, leased or not.
 *   <li>The calls given out of a queue stay within its rate, whoever takes them.
 * </ol>
 */
public interface CallStore {

    /**
     * Stores a call: on the calling thread, and in its transaction if there is one, so that it comes into being, or does
     * not, with all else that is done there.
     */
    void store(NewCall call);

    /**
     * Takes calls that are due, the oldest first, for as long as a lease lasts. Each counts an attempt.
     *
     * @return empty if none is due, or somebody else is taking at this moment
     */
    List<TakenCall> take(QueueName queue, Terms terms);

    /**
     * How calls are taken.
     *
     * @param most the most calls
     * @param rate the most of the queue in a second, of all instances together
     * @param lease how long they are whose
     * @param token that nobody else has
     */
    record Terms(int most, int rate, Duration lease, long token) {}

    /**
     * The time until a call may be due.
     *
     * @param rate the most calls of the queue in a second
     * @return zero if one is; empty if none is pending
     */
    Optional<Duration> untilNext(QueueName queue, int rate);

    /**
     * Prolongs the lease of calls that were taken together, as far as they are still this instance's.
     *
     * @return the ids of those that are
     */
    Set<Long> renew(List<TakenCall> calls, Duration lease);

    /** Gives calls back that were taken together, and does not count the attempt. */
    void giveBack(List<TakenCall> calls);

    /** It has been made. False if it was no longer this instance's. */
    boolean done(TakenCall call);

    /**
     * It is to be made again, later.
     *
     * @param counts whether this attempt counts
     * @param error what went wrong; empty to leave what was said before
     * @return false if it was no longer this instance's
     */
    boolean again(TakenCall call, Duration pause, boolean counts, Optional<String> error);

    /** It will not be made any more, unless an operator says so. False if it was no longer this instance's. */
    boolean dead(TakenCall call, String error);
}
