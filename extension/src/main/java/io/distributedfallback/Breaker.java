package io.distributedfallback;

import java.util.concurrent.Callable;

/** One breaker, by name. Thread-safe; the same object for the same name as long as the application runs. */
public interface Breaker {

    /**
     * The name.
     *
     * @return as in {@link DistributedFallback#breaker()}
     */
    String name();

    /**
     * What this instance knows of the breaker. Never waits for the store.
     *
     * @return a consistent reading
     */
    BreakerStatus status();

    /**
     * Whether a call would go to the fallback now, by what this instance knows: because the breaker is open, cooling
     * down, or forced open. Never waits for the store.
     *
     * @return true if the route is {@link Route#FALLBACK}
     */
    boolean isOpen();

    /**
     * Calls the primary, or the fallback if the breaker says so or the primary fails: what
     * {@link DistributedFallback} does, without the annotation. Both run on the caller's thread. The outcome is that of
     * the call itself: a stage or a future that it returns is not looked into.
     *
     * @param <T> the type of the answer
     * @param primary the guarded call
     * @param fallback what answers instead, after a failure of a kind that {@linkplain FailureKind#usesFallback() uses}
     *     it; not after an {@link Error}
     * @return the answer of one of the two
     * @throws Exception that of the primary, with that of the fallback suppressed, if both failed; that of the fallback
     *     if the primary was not asked
     */
    <T> T call(Callable<T> primary, Callable<T> fallback) throws Exception;

    /**
     * Calls the primary, on the caller's thread, unless the breaker keeps callers away from it.
     *
     * @param <T> the type of the answer
     * @param primary the guarded call
     * @return its answer
     * @throws BreakerOpenException if the primary was not asked
     * @throws Exception that of the primary
     */
    <T> T call(Callable<T> primary) throws Exception;
}
