package io.distributedfallback.config;

import io.distributedfallback.BreakerPolicy;
import java.util.List;
import java.util.Objects;
import java.util.Set;

/**
 * What the annotations of an application say of breakers.
 *
 * @param guarding the breakers that guarded methods name
 * @param probed the breakers that have a {@link io.distributedfallback.Probe} method
 * @param policies each {@link BreakerPolicy} found
 */
public record DeclaredBreakers(Set<String> guarding, Set<String> probed, List<Declared> policies) {

    /** No annotations at all. */
    public static final DeclaredBreakers NONE = new DeclaredBreakers(Set.of(), Set.of(), List.of());

    public DeclaredBreakers {
        guarding = Set.copyOf(guarding);
        probed = Set.copyOf(probed);
        policies = List.copyOf(policies);
    }

    /**
     * A policy and its place.
     *
     * @param policy the annotation
     * @param place the class that carries it
     */
    public record Declared(BreakerPolicy policy, Class<?> place) {
        public Declared {
            Objects.requireNonNull(policy, "policy");
            Objects.requireNonNull(place, "place");
        }
    }
}
