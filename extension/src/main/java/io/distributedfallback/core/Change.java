package io.distributedfallback.core;

import io.distributedfallback.BreakerCommanded;
import io.distributedfallback.BreakerTransition;
import java.util.Objects;
import java.util.Optional;

/**
 * What a write did.
 *
 * @param row the row as the write left it
 * @param transition the change of state, if this very write made it
 * @param commanded the operator's command that it carried out, if it was one
 */
public record Change(BreakerRow row, Optional<BreakerTransition> transition, Optional<BreakerCommanded> commanded) {
    public Change {
        Objects.requireNonNull(row, "row");
        Objects.requireNonNull(transition, "transition");
        Objects.requireNonNull(commanded, "commanded");
    }

    /** One that no operator commanded. */
    public Change(BreakerRow row, Optional<BreakerTransition> transition) {
        this(row, transition, Optional.empty());
    }
}
