package io.distributedfallback.store;

import io.distributedfallback.core.StoreException;
import jakarta.persistence.EntityManager;
import jakarta.persistence.EntityManagerFactory;
import jakarta.persistence.EntityTransaction;
import jakarta.persistence.Query;
import jakarta.persistence.spi.PersistenceProvider;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Function;
import java.util.function.Supplier;
import javax.sql.DataSource;

/**
 * The way to the database: opened on first use, each piece of work in a transaction of its own.
 *
 * <ol>
 *   <li>The first use builds the factory, which needs no connection, and brings the schema in order, which does.
 *   <li>What failed of it is done again by the next use. A factory that cannot even give an entity manager is thrown away:
 *       EclipseLink never recovers from a failed start.
 *   <li>One thread opens; the others wait for it, but not longer than for a statement, so that they do not queue up
 *       for one connection time-out after the other while the database is away.
 * </ol>
 */
final class BreakerDatabase {

    private static final String QUERY_TIMEOUT = "jakarta.persistence.query.timeout";

    private final JpaStoreSettings settings;
    private final Supplier<List<PersistenceProvider>> providers;
    private final StoreErrors errors;
    private final ReentrantLock opening = new ReentrantLock();

    /** Guarded by {@link #opening}. */
    private EntityManagerFactory built;

    /** The factory once the schema is in order. */
    private volatile EntityManagerFactory ready;

    private volatile boolean closed;

    BreakerDatabase(JpaStoreSettings settings, Supplier<List<PersistenceProvider>> providers) {
        this.settings = settings;
        this.providers = providers;
        errors = new StoreErrors(settings.dataSourceName());
    }

    /** Runs a statement that answers with lines of the mapping {@value StoredBreaker#ROW}. */
    List<Object[]> answer(String sql, Object... parameters) {
        try {
            return inTransaction(open(), entities -> {
                Query query = entities.createNativeQuery(sql, StoredBreaker.ROW);
                for (int i = 0; i < parameters.length; i++) {
                    query.setParameter(i + 1, parameters[i]);
                }
                List<?> lines = limited(query).getResultList();
                return lines.stream().map(Object[].class::cast).toList();
            });
        } catch (StoreException known) {
            throw known;
        } catch (RuntimeException failure) {
            throw errors.of(failure);
        }
    }

    void close() {
        closed = true;
        opening.lock();
        try {
            ready = null;
            discard();
        } finally {
            opening.unlock();
        }
    }

    private EntityManagerFactory open() {
        EntityManagerFactory factory = ready;
        if (factory != null) {
            return factory;
        }
        acquireOpening();
        try {
            if (closed) {
                throw errors.closed();
            }
            if (ready == null) {
                if (built == null) {
                    built = build();
                }
                EntityManagerFactory candidate = usable(built);
                Schema schema = new Schema(settings.schema());
                schema.bringInOrder(work -> inTransaction(candidate, entities -> work.apply(entities, this::limited)));
                ready = candidate;
            }
            return ready;
        } finally {
            opening.unlock();
        }
    }

    private void acquireOpening() {
        try {
            if (!opening.tryLock(settings.queryTimeout().toMillis(), TimeUnit.MILLISECONDS)) {
                throw errors.stillOpening();
            }
        } catch (InterruptedException interruption) {
            Thread.currentThread().interrupt();
            throw errors.interrupted(interruption);
        }
    }

    private EntityManagerFactory usable(EntityManagerFactory factory) {
        try {
            factory.createEntityManager().close();
            return factory;
        } catch (RuntimeException failure) {
            discard();
            throw failure;
        }
    }

    private void discard() {
        EntityManagerFactory factory = built;
        built = null;
        if (factory != null && factory.isOpen()) {
            factory.close();
        }
    }

    private EntityManagerFactory build() {
        BreakerUnit unit = new BreakerUnit(dataSource());
        Throwable refusal = null;
        for (PersistenceProvider provider : providers.get()) {
            try {
                EntityManagerFactory factory = provider.createContainerEntityManagerFactory(unit, Map.of());
                if (factory != null) {
                    return factory;
                }
            } catch (RuntimeException | LinkageError failure) {
                refusal = failure;
            }
        }
        throw errors.noProvider(refusal);
    }

    private DataSource dataSource() {
        DataSource found;
        try {
            found = settings.dataSource().get();
        } catch (RuntimeException failure) {
            throw errors.noDataSource(failure);
        }
        if (found == null) {
            throw errors.noDataSource(null);
        }
        return found;
    }

    private Query limited(Query query) {
        long millis = Math.min(settings.queryTimeout().toMillis(), Integer.MAX_VALUE);
        return query.setHint(QUERY_TIMEOUT, Math.toIntExact(millis));
    }

    private static <T> T inTransaction(EntityManagerFactory factory, Function<EntityManager, T> work) {
        try (EntityManager entities = factory.createEntityManager()) {
            EntityTransaction transaction = entities.getTransaction();
            transaction.begin();
            try {
                T result = work.apply(entities);
                transaction.commit();
                return result;
            } catch (RuntimeException | Error failure) {
                rollBack(transaction, failure);
                throw failure;
            }
        }
    }

    private static void rollBack(EntityTransaction transaction, Throwable reason) {
        try {
            if (transaction.isActive()) {
                transaction.rollback();
            }
        } catch (RuntimeException failure) {
            reason.addSuppressed(failure);
        }
    }
}
