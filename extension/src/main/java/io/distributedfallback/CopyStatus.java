package io.distributedfallback;

import java.time.Duration;
import java.util.Objects;
import java.util.Optional;

/**
 * What an instance's copy of the store is worth: how old it is, and how news gets into it. Immutable.
 *
 * @param age how old the copy is: the time since the last read that was answered was asked; empty if none has been, as
 *     with {@code store=memory}
 * @param push whether the instance hears of changes at once, or learns of them when it reads next
 * @param loss why the store does not answer; empty while it does, and always with {@code store=memory}
 */
public record CopyStatus(Optional<Duration> age, PushState push, Optional<Loss> loss) {

    /** Checks that all is there. */
    public CopyStatus {
        Objects.requireNonNull(age, "age");
        Objects.requireNonNull(push, "push");
        Objects.requireNonNull(loss, "loss");
    }

    /**
     * The store does not answer, or cannot be written.
     *
     * @param away for how long this instance has been without it
     * @param code the code of the message that says why
     * @param reason what the last attempt met: one line, with secrets masked
     */
    public record Loss(Duration away, String code, String reason) {

        /** Checks that all is there. */
        public Loss {
            Objects.requireNonNull(away, "away");
            Objects.requireNonNull(code, "code");
            Objects.requireNonNull(reason, "reason");
        }
    }

    /**
     * Whether the store answered last, and can be written as far as is known.
     *
     * @return false while this instance breaks on what it sees itself; with {@code store=memory} always true
     */
    public boolean storeUp() {
        return loss.isEmpty();
    }
}
