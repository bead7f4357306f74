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
import java.util.Iterator;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Set;

/**
 * One line of a statement's answer.
 *
 * @param row the row
 * @param updatedAt when it was changed last, by the database's clock
 * @param transitioned whether that change was one of state; of a write's answer: whether this write changed the state
 */
record StoredRow(BreakerRow row, Instant updatedAt, boolean transitioned) {

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
                        Set.of(),
                        columns.moment(),
                        columns.moment()),
                Window.NONE,
                new RecoveryProgress(
                        columns.integer(),
                        columns.duration(),
                        columns.duration().orElseThrow(),
                        columns.number()),
                new Holds(columns.duration().orElseThrow(), columns.override()),
                columns.lastFailure());
        return new StoredRow(row, columns.moment().orElseThrow(), columns.integer() == 1);
    }

    /** The answer of a write. There are two changes of state, so the state that it led to tells which it was. */
    Change toChange(String instance) {
        if (!transitioned) {
            return new Change(row, Optional.empty());
        }
        BreakerTransition transition = new BreakerTransition(
                row.name(),
                row.isOpen() ? BreakerState.CLOSED : BreakerState.OPEN,
                row.standing().state(),
                row.isOpen() ? TransitionCause.FAILURES : TransitionCause.PROBES,
                instance,
                updatedAt);
        return new Change(row, Optional.of(transition));
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
