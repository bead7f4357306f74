package io.distributedfallback;

import io.distributedfallback.OperatorCommand.Action;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletionStage;

/**
 * One breaker, by name. Thread-safe; the same object for the same name as long as the application runs, except for the
 * breakers of {@linkplain Breakers#get(String, Object) keys}.
 */
public interface Breaker {

    /**
     * The name.
     *
     * @return as in {@link DistributedFallback#breaker()}; of a {@linkplain BreakerKey key} {@code <breaker>[<key>]}
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
     * down, or forced open. While a breaker ramps up some calls do, and this is false. Never waits for the store.
     *
     * @return true if the route is {@link Route#FALLBACK}
     */
    default boolean isOpen() {
        return status().route() == Route.FALLBACK;
    }

    /**
     * Calls the primary, or the fallback if the breaker says so or the primary fails: what
     * {@link DistributedFallback} does, without the annotation. Both run on the caller's thread, whether it serves a
     * request or not. The outcome is that of the call itself: a stage
     * or a future that it returns is not looked into; see {@link #callStage(Callable, Callable)}.
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
     * As {@link #call(Callable, Callable)}, with a fallback that wants to know why it is asked.
     *
     * @param <T> the type of the answer
     * @param primary the guarded call
     * @param fallback what answers instead; gets the failure of the primary, or a {@link BreakerOpenException} if the
     *     primary was not asked
     * @return the answer of one of the two
     * @throws Exception that of the primary, with that of the fallback suppressed, if both failed; that of the fallback
     *     if the primary was not asked
     */
    <T> T call(Callable<T> primary, FallbackFunction<T> fallback) throws Exception;

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

    /**
     * Calls a primary that answers later, or the fallback if the breaker says so or the primary fails. The outcome is
     * that of the stage which the primary returns, on whatever thread that completes. Never throws, and returns as soon
     * as the primary has returned its stage.
     *
     * <p>The primary runs on the caller's thread; so does the fallback if the primary is not asked, or throws before
     * there is a stage. After a stage has failed, the fallback runs on a managed thread, with the class loader, the
     * naming context and the identity of the caller, and without the caller's transaction and request.
     *
     * <p>Cancelling the stage returned, if it is cast or turned to a {@link java.util.concurrent.CompletableFuture},
     * cancels the one that is awaited. A cancelled stage is neither a failure nor a success and uses no fallback; if it
     * had run past {@code slow-call} by then, it counts as slow.
     *
     * @param <T> the type of the answer
     * @param primary the guarded call
     * @param fallback what answers instead, after a failure of a kind that {@linkplain FailureKind#usesFallback() uses}
     *     it; not after an {@link Error}
     * @return a stage that completes with the answer of one of the two; if both failed, exceptionally with the failure of
     *     the primary, that of the fallback suppressed; if the primary was not asked, with the failure of the fallback.
     *     Null if the one asked returned null
     */
    <T> CompletionStage<T> callStage(
            Callable<? extends CompletionStage<T>> primary, Callable<? extends CompletionStage<T>> fallback);

    /**
     * As {@link #callStage(Callable, Callable)}, with a fallback that wants to know why it is asked.
     *
     * @param <T> the type of the answer
     * @param primary the guarded call
     * @param fallback what answers instead; gets the failure of the primary, or a {@link BreakerOpenException} if the
     *     primary was not asked
     * @return a stage that completes with the answer of one of the two, or exceptionally as said there
     */
    <T> CompletionStage<T> callStage(
            Callable<? extends CompletionStage<T>> primary, FallbackFunction<? extends CompletionStage<T>> fallback);

    /**
     * Calls a primary that answers later, unless the breaker keeps callers away from it. Never throws.
     *
     * @param <T> the type of the answer
     * @param primary the guarded call
     * @return a stage that completes as that of the primary does; exceptionally with a {@link BreakerOpenException} if
     *     the primary was not asked. Null if the primary returned null
     */
    <T> CompletionStage<T> callStage(Callable<? extends CompletionStage<T>> primary);

    /**
     * Carries out an operator's command, for the whole cluster, and leaves it in the history, whether it changed anything or
     * not. Waits for the store, {@code store.write-timeout} at most; other instances follow when they read next.
     *
     * @param command what is wanted, by whom and why
     * @return the status after it
     * @throws CommandFailedException if the store does not answer; then nothing may have changed, and all may have
     */
    BreakerStatus command(OperatorCommand command);

    /**
     * Sends all calls to the fallback until {@linkplain #clearOverride cleared}.
     *
     * @param by who wants it
     * @param reason why
     * @return the status after it
     */
    default BreakerStatus forceOpen(String by, String reason) {
        return command(new OperatorCommand(Action.FORCE_OPEN, by, reason, Optional.empty()));
    }

    /**
     * Sends all calls to the fallback for a while.
     *
     * @param by who wants it
     * @param reason why
     * @param expiry for how long, by the store's clock
     * @return the status after it
     */
    default BreakerStatus forceOpen(String by, String reason, Duration expiry) {
        return command(new OperatorCommand(Action.FORCE_OPEN, by, reason, Optional.of(expiry)));
    }

    /**
     * Sends all calls to the primary until {@linkplain #clearOverride cleared}. Failures go on being counted.
     *
     * @param by who wants it
     * @param reason why
     * @return the status after it
     */
    default BreakerStatus forceClosed(String by, String reason) {
        return command(new OperatorCommand(Action.FORCE_CLOSED, by, reason, Optional.empty()));
    }

    /**
     * Sends all calls to the primary for a while. Failures go on being counted.
     *
     * @param by who wants it
     * @param reason why
     * @param expiry for how long, by the store's clock
     * @return the status after it
     */
    default BreakerStatus forceClosed(String by, String reason, Duration expiry) {
        return command(new OperatorCommand(Action.FORCE_CLOSED, by, reason, Optional.of(expiry)));
    }

    /**
     * Ends what was forced: the state decides again.
     *
     * @param by who wants it
     * @param reason why
     * @return the status after it
     */
    default BreakerStatus clearOverride(String by, String reason) {
        return command(new OperatorCommand(Action.CLEAR_OVERRIDE, by, reason, Optional.empty()));
    }

    /**
     * Closes the breaker and forgets its failures and its cooldown. All calls go to the primary at once, also with {@code
     * ramp-up}. What is forced stays so.
     *
     * @param by who wants it
     * @param reason why
     * @return the status after it
     */
    default BreakerStatus reset(String by, String reason) {
        return command(new OperatorCommand(Action.RESET, by, reason, Optional.empty()));
    }

    /**
     * A fallback that wants to know why it is asked.
     *
     * @param <T> the type of the answer
     */
    @FunctionalInterface
    interface FallbackFunction<T> {

        /**
         * Answers instead of the primary.
         *
         * @param failure that of the primary, without what stages put around it; a {@link BreakerOpenException} if the
         *     primary was not asked
         * @return the answer
         * @throws Exception if there is none
         */
        T answer(Throwable failure) throws Exception;
    }
}
