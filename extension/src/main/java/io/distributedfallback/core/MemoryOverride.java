package io.distributedfallback.core;

import io.distributedfallback.BreakerStatus.OperatorOverride;
import io.distributedfallback.OperatorCommand;
import io.distributedfallback.OverrideMode;
import java.time.Instant;
import java.util.Optional;

/**
 * An operator's word on a row of a {@link MemoryBreakerStore}.
 *
 * @param word what was said; empty if nothing was
 * @param until when it ends; empty if when it is cleared
 */
record MemoryOverride(Optional<OperatorOverride> word, Optional<Instant> until) {

    static final MemoryOverride NONE = new MemoryOverride(Optional.empty(), Optional.empty());

    static MemoryOverride of(OperatorOverride read, Instant now) {
        return new MemoryOverride(Optional.of(read), read.left().map(now::plus));
    }

    /** What a command makes of it. */
    MemoryOverride after(OperatorCommand command, Instant now) {
        return switch (command.action()) {
            case FORCE_OPEN -> forced(OverrideMode.FORCED_OPEN, command, now);
            case FORCE_CLOSED -> forced(OverrideMode.FORCED_CLOSED, command, now);
            case CLEAR_OVERRIDE -> NONE;
            case RESET -> this;
        };
    }

    private static MemoryOverride forced(OverrideMode mode, OperatorCommand command, Instant now) {
        return of(new OperatorOverride(mode, command.by(), command.reason(), command.expiry()), now);
    }

    /** What the history says of the command that made it, with what was before. */
    HistoryEntry.Command entry(OperatorCommand command, MemoryOverride before, Instant now) {
        return new HistoryEntry.Command(
                command.action(),
                command.by(),
                command.reason(),
                before.mode(now),
                mode(now),
                until.filter(end -> isInForce(now)));
    }

    boolean isInForce(Instant now) {
        return word.isPresent() && (until.isEmpty() || !MemoryDeadline.hasCome(until.get(), now));
    }

    Optional<OverrideMode> mode(Instant now) {
        return isInForce(now) ? word.map(OperatorOverride::mode) : Optional.empty();
    }

    Optional<OperatorOverride> shown(Instant now) {
        return isInForce(now)
                ? word.map(said -> new OperatorOverride(
                        said.mode(), said.by(), said.reason(), until.map(end -> MemoryDeadline.left(end, now))))
                : Optional.empty();
    }
}
