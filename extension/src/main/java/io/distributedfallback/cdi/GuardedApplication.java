package io.distributedfallback.cdi;

import io.distributedfallback.core.CircuitBreakers;
import io.distributedfallback.deferred.ManagedBackground;
import io.distributedfallback.store.JpaBreakerStore;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.atomic.AtomicBoolean;

/** The breakers and the guarded methods of a running application. */
final class GuardedApplication implements AutoCloseable {

    private static final System.Logger LOG = System.getLogger("io.distributedfallback");

    private final CircuitBreakers breakers;
    private final Map<Class<?>, GuardedBean> beans;
    private final ManagedBackground background;
    private final Optional<JpaBreakerStore> store;
    private final boolean readAtStart;
    private final AtomicBoolean closed = new AtomicBoolean();

    /**
     * @param readAtStart false leaves the reading to the first call, and no connection is opened before
     */
    GuardedApplication(
            CircuitBreakers breakers,
            Map<Class<?>, GuardedBean> beans,
            ManagedBackground background,
            Optional<JpaBreakerStore> store,
            boolean readAtStart) {
        this.breakers = breakers;
        this.beans = new ConcurrentHashMap<>(beans);
        this.background = background;
        this.store = store;
        this.readAtStart = readAtStart;
    }

    CircuitBreakers breakers() {
        return breakers;
    }

    /**
     * Opens the way to the database and reads from it in the background, so that the first call need not wait for that
     * and a new instance knows from the start which breakers are open.
     */
    void started() {
        try {
            store.ifPresent(shared -> background.run(() -> {
                shared.prepare();
                if (readAtStart) {
                    breakers.readAhead();
                }
            }));
        } catch (RejectedExecutionException e) {
            LOG.log(System.Logger.Level.DEBUG, "the first call opens the store", e);
        }
        breakers.startBackgroundProbes();
    }

    GuardedBean guardsOf(Class<?> instance) {
        for (Class<?> type = instance; type != null; type = type.getSuperclass()) {
            GuardedBean guards = beans.get(type);
            if (guards != null) {
                return guards;
            }
        }
        return GuardedBean.UNGUARDED;
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
