package io.distributedfallback.store;

import io.distributedfallback.BreakerState;
import io.distributedfallback.BreakerStatus.Holds;
import io.distributedfallback.BreakerStatus.LastFailure;
import io.distributedfallback.BreakerStatus.OperatorOverride;
import io.distributedfallback.BreakerStatus.RecoveryProgress;
import io.distributedfallback.BreakerStatus.Standing;
import io.distributedfallback.BreakerStatus.Window;
import io.distributedfallback.BreakerTransition;
import io.distributedfallback.FailureKind;
import io.distributedfallback.OverrideMode;
import io.distributedfallback.TransitionCause;
import io.distributedfallback.core.BreakerRow;
import io.distributedfallback.core.Change;
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

/**
 * One line of a statement's answer.
 *
 * @param row the row
 * @param updatedAt when it was changed last, by the database's clock
 * @param cause of that change, if it was one of state; of a write's answer: if this write changed the state
 * @param transaction the number of the write's transaction; empty if nothing was written
 */
record StoredRow(BreakerRow row, Instant updatedAt, Optional<TransitionCause> cause, OptionalLong transaction) {

    /** Between the instances: no id of one may contain it. */
    private static final String SEPARATOR = "\u001f";

    /** From the columns in the order of the mapping {@value StoredBreaker#ROW}; the prefix is taken off the name. */
    static StoredRow of(Object[] line, String prefix) {
        Columns columns = new Columns(Arrays.asList(line).iterator());
        BreakerRow row = new BreakerRow(
                columns.text().substring(prefix.length()),
                columns.number(),
                new Standing(
                        BreakerState.valueOf(columns.text()),
                        columns.integer(),
                        columns.maybeInteger(),
                        columns.texts(),
                        columns.moment(),
                        columns.moment()),
                new Window(
                        columns.integer(), columns.integer(), columns.duration().orElseThrow()),
                new RecoveryProgress(
                        columns.integer(),
                        columns.duration(),
                        columns.duration().orElseThrow(),
                        columns.number()),
                new Holds(columns.duration().orElseThrow(), columns.override()),
                columns.lastFailure());
        return new StoredRow(row, columns.moment().orElseThrow(), columns.cause(), columns.maybeNumber());
    }

    /** The answer of a write. There are two states, so the one that it led to tells which it came from. */
    Change toChange(String instance) {
        return new Change(
                row,
                cause.map(why -> new BreakerTransition(
                        row.name(),
                        row.isOpen() ? BreakerState.CLOSED : BreakerState.OPEN,
                        row.standing().state(),
                        why,
                        instance,
                        updatedAt)));
    }

    /** Reads one column after the other. Times are in microseconds: what remains, or since 1970. */
    private record Columns(Iterator<Object> values) {

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
            return micros().map(micros -> Instant.EPOCH.plus(micros, ChronoUnit.MICROS));
        }

        Optional<Duration> duration() {
            return micros().map(micros -> Duration.of(micros, ChronoUnit.MICROS));
        }

        Optional<OperatorOverride> override() {
            String mode = text();
            String by = text();
            String reason = text();
            Optional<Duration> left = duration();
            return mode.isEmpty()
                    ? Optional.empty()
                    : Optional.of(new OperatorOverride(OverrideMode.valueOf(mode), by, reason, left));
        }

        Optional<LastFailure> lastFailure() {
            Optional<Instant> at = moment();
            String kind = text();
            String text = text();
            String instance = text();
            return at.map(moment -> new LastFailure(moment, known(kind), text, instance));
        }

        private Optional<Long> micros() {
            return Optional.ofNullable((Long) values.next());
        }

        /** A newer version, side by side with this one in a rolling deploy, may know kinds that this one does not. */
        private static FailureKind known(String kind) {
            return Arrays.stream(FailureKind.values())
                    .filter(known -> known.name().equals(kind))
                    .findFirst()
                    .orElse(FailureKind.OUTAGE);
        }
    }
}
