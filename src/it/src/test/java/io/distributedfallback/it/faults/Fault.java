package io.distributedfallback.it.faults;

import java.time.Duration;
import java.util.Random;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * Something that breaks, and is mended.
 *
 * @param name as it reads in a report: {@code an instance is killed}
 * @param effects what it changes about what can be promised meanwhile
 * @param action does it
 */
record Fault(String name, Set<Effect> effects, Action action) {

    /** Breaks something, and mends it. */
    @FunctionalInterface
    interface Action {

        /**
         * Breaks it, and mends it after about that long.
         *
         * @param random for whatever is left to chance; never anything else, so that a seed repeats the round
         */
        void strike(World world, Duration length, Random random) throws Exception;
    }

    static Fault of(String name, Action action, Effect... effects) {
        return new Fault(name, Set.of(effects), action);
    }

    /** The same, where it is left to chance whether it finds what it is to strike. */
    Fault maybe() {
        return new Fault(
                name,
                Stream.concat(effects.stream(), Stream.of(Effect.MAY_PASS_UNNOTICED))
                        .collect(Collectors.toUnmodifiableSet()),
                action);
    }

    @Override
    public String toString() {
        return name;
    }
}
