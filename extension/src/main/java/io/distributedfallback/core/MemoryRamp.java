package io.distributedfallback.core;

import io.distributedfallback.BreakerStatus.RampUp;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.Optional;
import java.util.OptionalInt;

/**
 * The growing share of calls of a {@link MemoryRow}, guarded by the store. Of an open row it is the one in which a failure
 * opened it, kept to tell how far that had come.
 */
final class MemoryRamp {

    /** Both null if there is none. */
    private Instant from;

    private Instant until;

    void begin(Optional<Duration> length, Instant start) {
        from = length.isPresent() ? start : null;
        until = length.map(start::plus).orElse(null);
    }

    void adopt(Optional<RampUp> read, Instant now) {
        until = read.map(ramp -> now.plus(ramp.left())).orElse(null);
        from = read.map(ramp -> until.minus(ramp.length())).orElse(null);
    }

    boolean isUnderWay(Instant now) {
        return until != null && until.isAfter(now);
    }

    /** Whether these failures are a sign of trouble. Where the provider is known to fail now and then, they are not. */
    boolean isEndedBy(Failures failures, long token, Policy policy, Instant now) {
        return isUnderWay(now)
                && failures.ramp() > 0
                && failures.ramp() == token
                && policy.failureRatio().isEmpty();
    }

    /** The provider wants a pause: all over again after it. */
    void restart(Instant start) {
        begin(Optional.of(Duration.between(from, until)), start);
    }

    void end() {
        begin(Optional.empty(), Instant.EPOCH);
    }

    Optional<RampUp> asOf(Instant now) {
        return isUnderWay(now)
                ? Optional.of(new RampUp(Duration.between(now, until), Duration.between(from, until)))
                : Optional.empty();
    }

    /** How far it has come, rounded down. */
    OptionalInt percentage(Instant now) {
        if (until == null) {
            return OptionalInt.empty();
        }
        long gone = Math.max(0, ChronoUnit.MICROS.between(from, now));
        return OptionalInt.of((int) (100 * gone / ChronoUnit.MICROS.between(from, until)));
    }
}
