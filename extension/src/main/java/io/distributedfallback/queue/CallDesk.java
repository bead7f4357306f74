package io.distributedfallback.queue;

import java.util.List;

/**
 * What operators see of stored calls and do with them: those of this application, which are those with its prefix. Whatever
 * fails is a {@link io.distributedfallback.core.StoreException}. Thread-safe.
 */
public interface CallDesk {

    /** All queues that hold calls. */
    List<QueueCounts> counts();

    /** Calls, the newest first. */
    List<StoredCall> list(CallQuery query);

    /**
     * Carries out a command, and enters it in the history of such commands with the same statement.
     *
     * @return how many calls it met
     */
    long carryOut(QueueCommand command);
}
