package io.distributedfallback.core;

import io.distributedfallback.BreakerTransition;
import java.util.Objects;
import java.util.Optional;

/**
 * What a write did.
 *
 * @param row the row as the write left it
 * @param transition the change of state, if this very write made it
 */
public record Change(BreakerRow row, Optional<BreakerTransition> transition) {
    public Change {
        Objects.requireNonNull(row, "row");
        Objects.requireNonNull(transition, "transition");
    }
}
