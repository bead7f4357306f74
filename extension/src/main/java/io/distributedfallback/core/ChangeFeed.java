package io.distributedfallback.core;

/**
 * Hears of changes to the store as they are made, whoever makes them. A hint and no more: what it misses, the next read
 * finds. Thread-safe.
 */
public interface ChangeFeed extends AutoCloseable {

    /**
     * Listens, on the calling thread, until it is closed or what it listens to is lost. Not to be called again before it
     * has returned.
     *
     * @param ears gets told, on the calling thread; must be quick
     * @throws StoreException if what it listens to was lost, or could not be had; with {@link ProblemCode#DFB313} if it
     *     cannot work here, so that to try again soon makes no sense
     */
    void listen(Ears ears);

    /** Ends {@link #listen} at once, now and for ever. Does not wait for that. */
    @Override
    void close();

    /** Who wants to know. */
    interface Ears {

        /** From now on no change is missed, as long as {@link ChangeFeed#listen} has not returned. */
        void listening();

        /** Something has changed, maybe much. */
        void changed();
    }
}
