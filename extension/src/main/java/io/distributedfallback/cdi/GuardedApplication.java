package io.distributedfallback.cdi;

import io.distributedfallback.core.CircuitBreakers;
import io.distributedfallback.deferred.ManagedBackground;
import io.distributedfallback.store.JpaBreakerStore;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicBoolean;

/** The breakers and the guarded methods of a running application. */
final class GuardedApplication implements AutoCloseable {

    private final CircuitBreakers breakers;
    private final Map<Class<?>, GuardedBean> beans;
    private final ManagedBackground background;
    private final Optional<JpaBreakerStore> store;
    private final AtomicBoolean closed = new AtomicBoolean();

    GuardedApplication(
            CircuitBreakers breakers,
            Map<Class<?>, GuardedBean> beans,
            ManagedBackground background,
            Optional<JpaBreakerStore> store) {
        this.breakers = breakers;
        this.beans = new ConcurrentHashMap<>(beans);
        this.background = background;
        this.store = store;
    }

    CircuitBreakers breakers() {
        return breakers;
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

    /** What can be done before the first call comes, without asking the database. */
    void start() {
        store.ifPresent(JpaBreakerStore::prepare);
        breakers.startBackgroundProbes();
    }

    /** Gives leases back, then ends the threads, then lets go of the database. Once. */
    @Override
    public void close() {
        if (!closed.compareAndSet(false, true)) {
            return;
        }
        breakers.close();
        background.close();
        store.ifPresent(GuardedApplication::closeQuietly);
    }

    private static void closeQuietly(AutoCloseable store) {
        try {
            store.close();
        } catch (Exception e) {
            System.getLogger("io.distributedfallback").log(System.Logger.Level.DEBUG, "closing the store", e);
        }
    }
}
