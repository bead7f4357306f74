package io.distributedfallback.queue;

import java.util.Objects;
import java.util.OptionalLong;

/**
 * What an operator wants done with stored calls.
 *
 * @param action what
 * @param queue of which queue
 * @param call the id of one call; empty for all dead ones of the queue, which can be retried and not discarded
 * @param by who wants it; 1 to 100 characters
 * @param reason why; 1 to 500 characters
 */
public record QueueCommand(Action action, QueueName queue, OptionalLong call, String by, String reason) {

    /** The most characters of {@link #reason}. */
    public static final int LONGEST_REASON = 500;

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
        if (reason.isBlank()
                || reason.length() > LONGEST_REASON
                || reason.chars().anyMatch(Character::isISOControl)) {
            throw new IllegalArgumentException(
                    "reason needs 1 to " + LONGEST_REASON + " characters, not all blank, and no control characters");
        }
    }
}
