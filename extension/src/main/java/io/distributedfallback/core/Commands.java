package io.distributedfallback.core;

import io.distributedfallback.CommandFailedException;
import io.distributedfallback.OperatorCommand;

/**
 * The way of an operator's command to the store.
 *
 * <ol>
 *   <li>It is for the whole cluster or it fails: the stand-in never gets one. A command that this instance alone knew of
 *       would be lost when the store is back.
 *   <li>A failure of a command is told to whoever gave it, and is no reason to take the store for lost.
 *   <li>This instance takes in the row that the command left before it answers; the event is told once, here.
 * </ol>
 */
final class Commands {

    private Commands() {}

    /** @throws CommandFailedException if it is not known to have been carried out */
    static void carryOut(OperatorCommand given, CircuitBreaker breaker, OwnBreaker own, Engine engine) {
        OperatorCommand command = new OperatorCommand(
                given.action(),
                FailureText.oneLine(given.by()),
                FailureText.masked(given.reason(), OperatorCommand.LONGEST_REASON),
                given.expiry());
        // Where nobody calls, nobody else finds out that the store is back.
        long unused = engine.copy().freshen(engine.now());
        try {
            engine.writes().command(store -> store.command(breaker.name(), command), breaker::see);
        } catch (StoreException e) {
            throw new CommandFailedException(
                    new Problem(
                                    ProblemCode.DFB309,
                                    command.action() + " of breaker " + breaker.name(),
                                    e.getMessage(),
                                    "Look at the status of the breaker, and give the command again when the store answers")
                            .toString(),
                    e);
        }
        if (command.action() == OperatorCommand.Action.RESET) {
            own.forget();
        }
    }
}
