package io.distributedfallback.core;

import io.distributedfallback.BreakerCommanded;
import io.distributedfallback.BreakerTransition;
import io.distributedfallback.FailureKind;
import java.time.Duration;
import java.util.Collection;

/**
 * What the engine has to tell; each method does nothing by default. Called on whatever thread learnt of it; must neither
 * block nor throw.
 */
public interface BreakerListener {

    /** This instance's write changed a breaker's state. Called once in the cluster while the store is there. */
    default void transitioned(BreakerTransition transition) {}

    /**
     * The breaker that this instance's write has just closed lets calls through in a share that grows from now on, or from
     * the end of a pause. Called after {@link #transitioned}.
     *
     * @param length until all calls go to the primary
     */
    default void rampsUp(String breaker, Duration length) {}

    /** An operator's command, given to this instance, has been carried out. Called once in the cluster. */
    default void commanded(BreakerCommanded commanded) {}

    /** A provider refuses us. Called for every such failure; the listener limits the rate. */
    default void misconfigured(String breaker, String failure) {}

    /** A probe ended. {@code reason} is empty for a pass. */
    default void probed(String breaker, ProbeVerdict verdict, String reason) {}

    /** The store does not answer; from now on this instance keeps breaking on what it sees itself. */
    default void storeLost(StoreException reason) {}

    /**
     * The store answers again; from now on its word counts.
     *
     * @param away how long it was away
     * @param failures how many failures that this instance saw meanwhile are fresh enough to be handed over to it
     */
    default void storeBack(Duration away, int failures) {}

    /**
     * A breaker guards the very database that holds its state: calls fail for the same reason as the store. Called once
     * for a breaker, of those with keys for all keys together.
     *
     * @param breaker its name, without a key
     * @param evidence what both have said
     */
    default void guardsItsStore(String breaker, String evidence) {}

    /** This instance hears at once of what changes elsewhere, after {@link #notListening} has been told. */
    default void listening() {}

    /**
     * This instance does not hear at once of what changes elsewhere, or no longer; it reads as often as ever. Told when the
     * reason changes, and not with each attempt.
     *
     * @param insisted whether the configuration says that it shall
     */
    default void notListening(StoreException reason, boolean insisted) {}

    /**
     * The instance's copy of the store has been read.
     *
     * @param open the breakers of this application that are open, without those that an operator forced closed
     * @param askedNanos when it was asked for, by the monotonic clock: what happened since may not be in it
     */
    default void storeRead(Collection<BreakerRow> open, long askedNanos) {}

    /** Something about the store or its threads is amiss that a user should mend; this instance goes on. */
    default void storeTrouble(StoreException reason) {}

    /** A value of the configuration has become unusable while the application runs; the last usable one holds. */
    default void misread(Problem problem) {}

    /**
     * Another instance counts a breaker's failures against another {@code failure-threshold}. Called once for a breaker
     * and a value.
     */
    default void thresholdDiffers(String breaker, int here, int there) {}

    /**
     * Calls come with more keys of a breaker than it may have; those that find no room share the breaker that has no key.
     * Called at most once a minute for a breaker.
     */
    default void tooManyKeys(String breaker, int most) {}

    /**
     * This instance alone keeps away from a provider, or does so no longer: it fails here, and fewer instances than the
     * {@code quorum} say so.
     */
    default void keepsAwayAlone(String breaker, boolean away) {}

    /**
     * A call was kept from a fallback by its limit. Called for every such call; the listener limits the rate.
     *
     * @param limit the limit's name, which may not be the breaker's
     */
    default void fallbackLimited(String breaker, String limit, LimitReason reason) {}

    /**
     * No call of a fallback begins for a while, because it asked for that or has failed again and again. Told when a pause
     * begins or grows.
     *
     * @param failure what it threw, cut and cleaned
     */
    default void fallbackPaused(String limit, Duration pause, String failure) {}

    /**
     * The database hands out no permits of a limit; until it does, this instance goes on with its share.
     *
     * @param share how many calls a second that is
     */
    default void permitsLost(String limit, int share, StoreException reason) {}

    /** The database hands out permits of a limit again, after {@link #permitsLost} has been told. */
    default void permitsBack(String limit) {}

    /** Something became of a call that waits for a breaker to close. Called for every such step. */
    default void queued(String breaker, QueueStep step) {}

    /** An application's classifier threw. */
    default void classifierFailed(String breaker, FailureKind taken, Throwable thrown) {}
}
