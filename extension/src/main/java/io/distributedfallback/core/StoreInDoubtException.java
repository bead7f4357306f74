package io.distributedfallback.core;

/**
 * The store did what it was asked, and then it was lost while it made that last: whether it lasts is not known. Whoever
 * must know asks {@link BreakerStore#wasCommitted} when the store is back.
 */
public final class StoreInDoubtException extends StoreException {

    private static final long serialVersionUID = 1L;

    private final transient Change change;
    private final long transaction;

    /**
     * Creates the exception.
     *
     * @param problem its message
     * @param cause what came instead of the word that it lasts
     * @param change what the write did, if it lasts
     * @param transaction the store's number for it
     */
    public StoreInDoubtException(Problem problem, Throwable cause, Change change, long transaction) {
        super(problem, cause);
        this.change = change;
        this.transaction = transaction;
    }

    /** What the write did, if it lasts. */
    public Change change() {
        return change;
    }

    /** The store's number for it. */
    public long transaction() {
        return transaction;
    }
}
