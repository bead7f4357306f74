package io.distributedfallback.cdi;

import io.distributedfallback.cdi.Declarations.GuardSite;
import io.distributedfallback.config.GuardDefinition;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;

/**
 * Turns the annotations that stand beside {@code @DistributedFallback} into rungs, or into problems. One class for each
 * annotation knows how.
 */
final class RungDefinitions {

    private final List<Function<Place, Optional<RungDefinition>>> kinds;

    /** @param kinds from the lowest rung up */
    RungDefinitions(List<Function<Place, Optional<RungDefinition>>> kinds) {
        this.kinds = List.copyOf(kinds);
    }

    /**
     * A guarded method that rungs may belong to.
     *
     * @param hasFallback whether something answers at the bottom
     */
    record Place(GuardSite site, GuardDefinition definition, boolean hasFallback) {}

    /** The rungs of a guarded method, the lowest first: what is above is asked before. */
    List<RungDefinition> define(Place place) {
        return kinds.stream().flatMap(kind -> kind.apply(place).stream()).toList();
    }
}
