package io.distributedfallback;

import java.time.Instant;

/**
 * A change of a breaker's state. Fired as a CDI event, synchronously and asynchronously, once in the cluster while
 * the database answers: on the instance whose write made the change, after that write was committed, on a managed thread
 * that no caller waits for. An instance that has lost the database fires the changes that it makes in its own memory.
 *
 * @param breaker the breaker's name
 * @param from the state before
 * @param to the state after
 * @param cause what made the change
 * @param instance the instance whose write made the change
 * @param at when, by the store's clock
 */
public record BreakerTransition(
        String breaker, BreakerState from, BreakerState to, TransitionCause cause, String instance, Instant at) {}
