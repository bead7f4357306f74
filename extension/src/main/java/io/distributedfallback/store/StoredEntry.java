package io.distributedfallback.store;

import io.distributedfallback.BreakerState;
import io.distributedfallback.BreakerStatus.LastFailure;
import io.distributedfallback.OperatorCommand.Action;
import io.distributedfallback.OverrideMode;
import io.distributedfallback.TransitionCause;
import io.distributedfallback.core.HistoryEntry;
import io.distributedfallback.core.HistoryEntry.Command;
import io.distributedfallback.core.HistoryEntry.Evidence;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;

/** Makes entries of the history from lines of {@link HistorySql}, whose columns are those of {@value StoredTransition#ENTRY}. */
final class StoredEntry {

    /** Between failures; between the parts of one there is what stands between instances. */
    private static final String SEPARATOR = "\u001e";

    private StoredEntry() {}

    static HistoryEntry of(Object[] line, String prefix) {
        Columns columns = new Columns(line);
        return new HistoryEntry(
                columns.number(),
                columns.text().substring(prefix.length()),
                columns.moment().orElseThrow(),
                BreakerState.valueOf(columns.text()),
                BreakerState.valueOf(columns.text()),
                TransitionCause.valueOf(columns.text()),
                columns.text(),
                new Evidence(
                        columns.integer(),
                        columns.integer(),
                        columns.integer(),
                        columns.integer(),
                        columns.texts(),
                        failures(columns.text()),
                        columns.text(),
                        columns.maybeInteger()),
                command(columns));
    }

    private static List<LastFailure> failures(String joined) {
        return joined.isEmpty()
                ? List.of()
                : Arrays.stream(joined.split(SEPARATOR, -1))
                        .map(StoredEntry::failure)
                        .toList();
    }

    private static LastFailure failure(String joined) {
        String[] parts = joined.split(Columns.SEPARATOR, 4);
        return new LastFailure(Columns.momentOf(Long.parseLong(parts[0])), Columns.kind(parts[1]), parts[2], parts[3]);
    }

    private static Optional<Command> command(Columns columns) {
        String action = columns.text();
        String by = columns.text();
        String reason = columns.text();
        Optional<OverrideMode> before = columns.mode();
        Optional<OverrideMode> after = columns.mode();
        return action.isEmpty()
                ? Optional.empty()
                : Optional.of(new Command(Action.valueOf(action), by, reason, before, after, columns.moment()));
    }
}
