package io.distributedfallback.core;

/**
 * The way to the store is still being opened: by this instance, which has just begun and has much to do. It says nothing of
 * the store.
 */
public final class StoreOpeningException extends StoreException {

    private static final long serialVersionUID = 1L;

    /**
     * Creates the exception.
     *
     * @param problem its message
     */
    public StoreOpeningException(Problem problem) {
        super(problem, null);
    }
}
