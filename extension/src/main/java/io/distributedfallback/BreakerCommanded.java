package io.distributedfallback;

import java.time.Instant;

/**
 * An operator's command has been carried out. Fired as a CDI event, synchronously and asynchronously, once in the cluster: on
 * the instance that was given the command, after its write was committed, on a managed thread that nobody waits for. A
 * command given by SQL fires none. If it changed the state as well, as {@link OperatorCommand.Action#RESET} may, a
 * {@link BreakerTransition} is fired too.
 *
 * @param breaker the breaker's name
 * @param command what was commanded, by whom and why
 * @param instance the instance that was given it
 * @param at when, by the store's clock
 */
public record BreakerCommanded(String breaker, OperatorCommand command, String instance, Instant at) {}
