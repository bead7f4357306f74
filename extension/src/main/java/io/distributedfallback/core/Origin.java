package io.distributedfallback.core;

import io.distributedfallback.Degraded.Rung;
import io.distributedfallback.FallbackLimitedException;
import java.time.Duration;
import java.util.Objects;
import java.util.Optional;

/**
 * Where an answer comes from that is not the primary's.
 *
 * @param rung what answered
 * @param age how old the answer is, if that is known
 */
public record Origin(Rung rung, Optional<Duration> age) {

    /** The fallback. */
    public static final Origin FALLBACK = of(Rung.FALLBACK);

    static final Origin UNAVAILABLE = of(Rung.UNAVAILABLE);
    private static final Origin LIMITED = of(Rung.LIMITED);

    public Origin {
        Objects.requireNonNull(rung, "rung");
        Objects.requireNonNull(age, "age");
    }

    /** One of no age. */
    public static Origin of(Rung rung) {
        return new Origin(rung, Optional.empty());
    }

    /** There is no answer. */
    static Origin ofFailure(Throwable thrown) {
        return Causes.unwrap(thrown) instanceof FallbackLimitedException ? LIMITED : UNAVAILABLE;
    }
}
