package io.distributedfallback.cdi;

import io.distributedfallback.cdi.Declarations.GuardSite;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;

/**
 * Turns the annotations that stand beside {@code @DistributedFallback} into rungs, or into problems. One class for each
 * annotation knows how.
 */
final class RungDefinitions {

    private final List<Function<GuardSite, Optional<RungDefinition>>> kinds;

    /** @param kinds from the lowest rung up */
    RungDefinitions(List<Function<GuardSite, Optional<RungDefinition>>> kinds) {
        this.kinds = List.copyOf(kinds);
    }

    /** The rungs of a guarded method, the lowest first: what is above is asked before. */
    List<RungDefinition> define(GuardSite site) {
        return kinds.stream().flatMap(kind -> kind.apply(site).stream()).toList();
    }
}
