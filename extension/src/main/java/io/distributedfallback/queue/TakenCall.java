package io.distributedfallback.queue;

import java.time.Duration;
import java.util.Objects;

/**
 * A stored call that is this instance's to make, for as long as the lease lasts.
 *
 * @param id its number in the store
 * @param arguments as JSON
 * @param attempt which attempt this is, 1 for the first
 * @param age since it was stored
 * @param token of the lease: whoever has another one cannot touch the call any more
 */
public record TakenCall(long id, String arguments, int attempt, Duration age, long token) {

    public TakenCall {
        Objects.requireNonNull(arguments, "arguments");
        Objects.requireNonNull(age, "age");
    }
}
