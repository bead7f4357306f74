package io.distributedfallback.cdi;

import io.distributedfallback.core.CircuitBreakers;
import io.distributedfallback.deferred.ManagedBackground;
import io.distributedfallback.store.JpaBreakerStore;
import java.util.Optional;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.atomic.AtomicBoolean;

/** The breakers and the guarded methods of a running application. */
final class GuardedApplication implements AutoCloseable {

    private static final System.Logger LOG = System.getLogger("io.distributedfallback");

    private final CircuitBreakers breakers;
    private final GuardedBeans beans;
    private final ManagedBackground background;
    private final Optional<JpaBreakerStore> store;
    private final AtomicBoolean closed = new AtomicBoolean();

    GuardedApplication(
            CircuitBreakers breakers,
            GuardedBeans beans,
            ManagedBackground background,
            Optional<JpaBreakerStore> store) {
        this.breakers = breakers;
        this.beans = beans;
        this.background = background;
        this.store = store;
    }

    CircuitBreakers breakers() {
        return breakers;
    }

    /** Builds the way to the database ahead, so that the first call need not wait for that; no connection is opened. */
    void started() {
        try {
            store.ifPresent(shared -> background.run(shared::prepare));
        } catch (RejectedExecutionException e) {
            LOG.log(System.Logger.Level.DEBUG, "the first call opens the store", e);
        }
        breakers.startBackgroundProbes();
    }

    GuardedBean guardsOf(Class<?> instance) {
        return beans.of(instance);
    }

    /** Gives leases back, then ends the threads, then lets go of the database. Once. */
    @Override
    public void close() {
        if (!closed.compareAndSet(false, true)) {
            return;
        }
        breakers.close();
        background.close();
        store.ifPresent(JpaBreakerStore::close);
    }
}
