package io.distributedfallback.cdi;

import io.distributedfallback.core.CircuitBreakers;
import io.distributedfallback.core.ControlRoom;
import io.distributedfallback.observe.Observation;
import io.distributedfallback.store.JpaBreakerStore;
import java.util.Optional;

/**
 * What makes guarded calls.
 *
 * @param breakers the breakers
 * @param beans the guarded beans
 * @param room who watches over them
 * @param store the store of all instances, if this one does not keep its breakers to itself
 * @param observation shows what the breakers do
 */
record RunningEngine(
        CircuitBreakers breakers,
        GuardedBeans beans,
        ControlRoom room,
        Optional<JpaBreakerStore> store,
        Observation observation) {}
