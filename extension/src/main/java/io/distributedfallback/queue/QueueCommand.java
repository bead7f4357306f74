package io.distributedfallback.queue;

import io.distributedfallback.OperatorCommand;
import java.util.Objects;
import java.util.Optional;
import java.util.OptionalLong;

/**
 * What an operator wants done with stored calls.
 *
 * @param action what
 * @param queue of which queue
 * @param call the id of one call; empty for all dead ones of the queue, which can be retried and not discarded
 * @param by who wants it, by the rule of {@link OperatorCommand#by}
 * @param reason why, by the rule of {@link OperatorCommand#reason}
 */
public record QueueCommand(Action action, QueueName queue, OptionalLong call, String by, String reason) {

    /** The most characters of {@link #reason}. */
    public static final int LONGEST_REASON = OperatorCommand.LONGEST_REASON;

    /** What can be done. */
    public enum Action {
        /** A dead call is made again, with all its attempts before it. */
        RETRY,
        /** A call that nobody is making is deleted, dead or not. */
        DISCARD
    }

    public QueueCommand {
        Objects.requireNonNull(action, "action");
        Objects.requireNonNull(queue, "queue");
        Objects.requireNonNull(call, "call");
        Objects.requireNonNull(by, "by");
        if (action == Action.DISCARD && call.isEmpty()) {
            throw new IllegalArgumentException("Calls are discarded one at a time: say which");
        }
        // One rule for all who command: what they say must stay on its line of a log, and must be possible to store.
        OperatorCommand unused = new OperatorCommand(OperatorCommand.Action.RESET, by, reason, Optional.empty());
    }
}
