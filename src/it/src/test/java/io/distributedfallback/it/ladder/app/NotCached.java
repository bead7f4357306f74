package io.distributedfallback.it.ladder.app;

/** Redis answers that it has no such key. */
final class NotCached extends RuntimeException {

    private static final long serialVersionUID = 1L;

    NotCached(int id) {
        super("product " + id + " is not in the cache", null, true, false);
    }
}
