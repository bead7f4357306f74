package io.distributedfallback.core;

import java.util.concurrent.Callable;

/** The last step of a guarded call: the fallback after a failure. All of it where a breaker has been taken away. */
public final class FallbackOnly {

    private FallbackOnly() {}

    /** Calls the primary, and the fallback if the primary fails in a way that uses it. Nothing is counted. */
    public static <T> T call(Callable<T> primary, Fallback<T> fallback, FailureRules rules) throws Exception {
        try {
            return primary.call();
        } catch (Throwable thrown) {
            if (Causes.carriesError(thrown) || !rules.classify(thrown).kind().usesFallback()) {
                throw thrown;
            }
            return after(thrown, fallback);
        }
    }

    /** If the fallback fails too, the failure of the primary is the outcome, with the fallback's suppressed. */
    static <T> T after(Throwable thrown, Fallback<T> fallback) {
        try {
            return Unchecked.call(() -> fallback.answer(() -> thrown));
        } catch (Throwable second) {
            if (second instanceof InterruptedException) {
                Thread.currentThread().interrupt();
            }
            if (second != thrown) {
                if (Causes.carriesError(second)) {
                    throw second;
                }
                thrown.addSuppressed(second);
            }
            throw Unchecked.sneaky(thrown);
        }
    }
}
