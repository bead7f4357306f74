package io.distributedfallback.cdi;

import io.distributedfallback.core.BreakerListener;
import io.distributedfallback.core.CircuitBreakers;
import io.distributedfallback.core.Surroundings;
import io.distributedfallback.observe.QueueNotices;
import io.distributedfallback.queue.CallQueues;
import io.distributedfallback.queue.QueueParts;
import io.distributedfallback.queue.QueueRoom;
import io.distributedfallback.store.JdbcCallDesk;
import io.distributedfallback.store.JdbcCallStore;
import io.distributedfallback.store.JpaBreakerStore;
import io.distributedfallback.store.JpaStoreSettings;
import java.time.Duration;
import java.util.Optional;

/**
 * Puts the queues of an application together.
 *
 * @param store has the tables in order
 * @param settings the way to the database
 * @param callers the same by the data source that takes part in the transactions of callers
 * @param lease how long a taken call is an instance's own
 */
record QueueAssembly(JpaBreakerStore store, JpaStoreSettings settings, JpaStoreSettings callers, Duration lease) {

    CallQueues queues(CircuitBreakers breakers, Surroundings surroundings) {
        return new CallQueues(new QueueParts(
                new JdbcCallStore(settings, callers, store::requireTables),
                new BreakerGate(breakers),
                surroundings.background(),
                surroundings.clock(),
                new QueueNotices(surroundings.listener()),
                lease));
    }

    QueueRoom room(Optional<CallQueues> queues, BreakerListener listener) {
        return new QueueRoom(
                Optional.of(new JdbcCallDesk(settings, store::requireTables)), queues, new QueueNotices(listener));
    }
}
