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
 * @param storeUp whether the store answered last; false while this instance breaks on what it sees itself. With {@code
 *     store=memory} always true
 */
public record CopyStatus(Optional<Duration> age, PushState push, boolean storeUp) {

    /** Checks that all is there. */
    public CopyStatus {
        Objects.requireNonNull(age, "age");
        Objects.requireNonNull(push, "push");
    }
}
