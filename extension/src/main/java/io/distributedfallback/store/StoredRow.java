package io.distributedfallback.store;

import io.distributedfallback.BreakerState;
import io.distributedfallback.BreakerStatus.Holds;
import io.distributedfallback.BreakerStatus.RecoveryProgress;
import io.distributedfallback.BreakerStatus.Standing;
import io.distributedfallback.BreakerStatus.Window;
import io.distributedfallback.BreakerTransition;
import io.distributedfallback.TransitionCause;
import io.distributedfallback.core.BreakerRow;
import io.distributedfallback.core.Change;
import java.time.Instant;
import java.util.Optional;
import java.util.OptionalLong;

/**
 * One line of a statement's answer.
 *
 * @param row the row
 * @param updatedAt when it was changed last, by the database's clock
 * @param cause of that change, if it was one of state; of a write's answer: if this write changed the state
 * @param transaction the number of the write's transaction; empty if nothing was written
 */
record StoredRow(BreakerRow row, Instant updatedAt, Optional<TransitionCause> cause, OptionalLong transaction) {

    /** From the columns in the order of the mapping {@value StoredBreaker#ROW}; the prefix is taken off the name. */
    static StoredRow of(Object[] line, String prefix) {
        Columns columns = new Columns(line);
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
                        columns.number(),
                        columns.rampUp()),
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
}
