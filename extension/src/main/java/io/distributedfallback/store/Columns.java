package io.distributedfallback.store;

import io.distributedfallback.BreakerStatus.LastFailure;
import io.distributedfallback.BreakerStatus.OperatorOverride;
import io.distributedfallback.BreakerStatus.RampUp;
import io.distributedfallback.FailureKind;
import io.distributedfallback.OverrideMode;
import io.distributedfallback.TransitionCause;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.Arrays;
import java.util.HashSet;
import java.util.Iterator;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.OptionalLong;
import java.util.Set;

/** Reads one column of a line after the other. Times are in microseconds: what remains, or since 1970. */
final class Columns {

    /** Between the instances: no id of one may contain it. */
    static final String SEPARATOR = "\u001f";

    private final Iterator<Object> values;

    Columns(Object[] line) {
        values = Arrays.asList(line).iterator();
    }

    String text() {
        Object value = values.next();
        return value == null ? "" : (String) value;
    }

    int integer() {
        return (Integer) values.next();
    }

    OptionalInt maybeInteger() {
        Object value = values.next();
        return value == null ? OptionalInt.empty() : OptionalInt.of((Integer) value);
    }

    long number() {
        return (Long) values.next();
    }

    OptionalLong maybeNumber() {
        Object value = values.next();
        return value == null ? OptionalLong.empty() : OptionalLong.of((Long) value);
    }

    Set<String> texts() {
        String joined = text();
        return joined.isEmpty() ? Set.of() : new HashSet<>(Arrays.asList(joined.split(SEPARATOR, -1)));
    }

    Optional<TransitionCause> cause() {
        String name = text();
        return name.isEmpty() ? Optional.empty() : Optional.of(TransitionCause.valueOf(name));
    }

    Optional<Instant> moment() {
        return micros().map(Columns::momentOf);
    }

    Optional<Duration> duration() {
        return micros().map(micros -> Duration.of(micros, ChronoUnit.MICROS));
    }

    Optional<OverrideMode> mode() {
        String mode = text();
        return mode.isEmpty() ? Optional.empty() : Optional.of(OverrideMode.valueOf(mode));
    }

    static Instant momentOf(long micros) {
        return Instant.EPOCH.plus(micros, ChronoUnit.MICROS);
    }

    Optional<OperatorOverride> override() {
        Optional<OverrideMode> mode = mode();
        String by = text();
        String reason = text();
        Optional<Duration> left = duration();
        return mode.map(word -> new OperatorOverride(word, by, reason, left));
    }

    Optional<RampUp> rampUp() {
        Optional<Duration> left = duration();
        Optional<Duration> length = duration();
        return left.flatMap(time -> length.map(whole -> new RampUp(time, whole)));
    }

    Optional<LastFailure> lastFailure() {
        Optional<Instant> at = moment();
        String kind = text();
        String text = text();
        String instance = text();
        return at.map(moment -> new LastFailure(moment, kind(kind), text, instance));
    }

    private Optional<Long> micros() {
        return Optional.ofNullable((Long) values.next());
    }

    /** A newer version, side by side with this one in a rolling deploy, may know kinds that this one does not. */
    static FailureKind kind(String kind) {
        return Arrays.stream(FailureKind.values())
                .filter(known -> known.name().equals(kind))
                .findFirst()
                .orElse(FailureKind.OUTAGE);
    }
}
