package io.distributedfallback.cdi;

import io.distributedfallback.core.CircuitBreakers;
import io.distributedfallback.core.ControlRoom;
import io.distributedfallback.observe.Observation;
import io.distributedfallback.queue.CallQueues;
import io.distributedfallback.queue.QueueRoom;
import io.distributedfallback.store.JpaBreakerStore;
import java.util.Optional;

/**
 * What makes guarded calls.
 *
 * @param breakers the breakers
 * @param beans the guarded beans
 * @param room who watches over them
 * @param store the store of all instances, if this one does not keep its breakers to itself
 * @param queues the calls that wait, if there is a store for them
 * @param queueRoom who watches over those
 * @param observation shows what the breakers do
 */
record RunningEngine(
        CircuitBreakers breakers,
        GuardedBeans beans,
        ControlRoom room,
        Optional<JpaBreakerStore> store,
        Optional<CallQueues> queues,
        QueueRoom queueRoom,
        Observation observation) {}
