package io.distributedfallback.store;

import io.distributedfallback.core.HistoryEntry;
import io.distributedfallback.core.StoreException;
import io.distributedfallback.store.Transactions.CommitFailure;
import jakarta.persistence.EntityManagerFactory;
import jakarta.persistence.Query;
import jakarta.persistence.spi.PersistenceProvider;
import jakarta.persistence.spi.PersistenceUnitInfo;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Function;
import java.util.function.Supplier;

/**
 * The way to the database, opened on first use.
 *
 * <ol>
 *   <li>The first use builds the factory, which needs no connection, and brings the schema in order, which does.
 *   <li>What failed of it is done again by the next use. A factory that cannot even give an entity manager is thrown away:
 *       EclipseLink never recovers from a failed start.
 *   <li>One thread opens; the others wait for it, but not longer than for a statement, so that they do not queue up
 *       for one connection time-out after the other while the database is away.
 * </ol>
 *
 * <p>This class can be loaded where Jakarta Persistence cannot: an application that uses no breaker needs none, and one
 * that does is told of it like of any other trouble with the store.
 */
final class BreakerDatabase {

    private final JpaStoreSettings settings;
    private final Supplier<List<PersistenceProvider>> providers;
    private final StoreErrors errors;
    private final ReentrantLock opening = new ReentrantLock();

    /** Guarded by {@link #opening}. */
    private Transactions built;

    private volatile boolean closed;

    /** Set once the schema is in order. */
    private volatile Transactions ready;

    BreakerDatabase(JpaStoreSettings settings, Supplier<List<PersistenceProvider>> providers) {
        this.settings = settings;
        this.providers = providers;
        errors = new StoreErrors(settings.dataSourceName());
    }

    /** Runs a statement that answers with lines of the mapping {@value StoredBreaker#ROW}. */
    List<StoredRow> answer(String sql, Object... parameters) {
        return ask(transactions -> transactions.run(entities -> {
            Query query = entities.createNativeQuery(sql, StoredBreaker.ROW);
            List<?> lines = prepared(transactions, query, parameters).getResultList();
            return lines.stream()
                    .map(line -> StoredRow.of((Object[]) line, settings.prefix()))
                    .toList();
        }));
    }

    /** Runs a statement that answers with lines of the mapping {@value StoredTransition#ENTRY}. */
    List<HistoryEntry> entries(String sql, Object... parameters) {
        return ask(transactions -> transactions.run(entities -> {
            Query query = entities.createNativeQuery(sql, StoredTransition.ENTRY);
            List<?> lines = prepared(transactions, query, parameters).getResultList();
            return lines.stream()
                    .map(line -> StoredEntry.of((Object[]) line, settings.prefix()))
                    .toList();
        }));
    }

    /** Runs a statement that answers with one value. */
    Object value(String sql, Object... parameters) {
        return ask(transactions ->
                transactions.run(entities -> prepared(transactions, entities.createNativeQuery(sql), parameters)
                        .getSingleResult()));
    }

    private <T> T ask(Function<Transactions, T> question) {
        try {
            return question.apply(open());
        } catch (StoreException known) {
            throw known;
        } catch (NoClassDefFoundError noPersistence) {
            throw errors.noProvider(noPersistence);
        } catch (CommitFailure failure) {
            throw written(failure)
                    .map(row -> errors.ofCommit(failure, row.toChange(settings.instance()), row.transaction()))
                    .orElseGet(() -> errors.of(failure));
        } catch (RuntimeException failure) {
            throw errors.of(failure);
        }
    }

    private static Optional<StoredRow> written(CommitFailure failure) {
        return failure.result() instanceof List<?> rows
                ? rows.stream()
                        .filter(StoredRow.class::isInstance)
                        .map(StoredRow.class::cast)
                        .findFirst()
                : Optional.empty();
    }

    private static Query prepared(Transactions transactions, Query query, Object... parameters) {
        for (int i = 0; i < parameters.length; i++) {
            query.setParameter(i + 1, parameters[i]);
        }
        return transactions.limit(query);
    }

    /** Does not wait for whoever is opening the way to the database, which may take long: that one closes it then. */
    void close() {
        closed = true;
        if (opening.tryLock()) {
            try {
                ready = null;
                discard();
            } finally {
                opening.unlock();
            }
        }
    }

    private void leaveOpening() {
        opening.unlock();
        if (closed) {
            close();
        }
    }

    /** Builds the factory, without a connection; whoever needs it meanwhile waits for it. What fails is done again. */
    void prepare() {
        opening.lock();
        try {
            if (built == null && !closed) {
                built = new Transactions(build(), settings.queryTimeout());
            }
        } catch (StoreException | NoClassDefFoundError failure) {
            // The first use meets it again, and tells.
        } finally {
            leaveOpening();
        }
    }

    /** Brings the tables in order, unless that has been done. */
    void requireTables() {
        ask(BreakerDatabase::nothing);
    }

    private static boolean nothing(Transactions transactions) {
        return true;
    }

    private Transactions open() {
        Transactions opened = ready;
        if (opened != null) {
            return opened;
        }
        acquireOpening();
        try {
            if (closed) {
                throw errors.closed();
            }
            if (ready == null) {
                Transactions candidate = startable();
                candidate.adaptIsolation();
                new Schema(candidate).bringInOrder(settings.schema());
                ready = candidate;
            }
            return ready;
        } finally {
            leaveOpening();
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

    private Transactions startable() {
        if (built == null) {
            built = new Transactions(build(), settings.queryTimeout());
        }
        try {
            built.requireStart();
            return built;
        } catch (RuntimeException | Error failure) {
            discard();
            throw failure;
        }
    }

    private void discard() {
        Transactions old = built;
        built = null;
        if (old != null) {
            old.close();
        }
    }

    private EntityManagerFactory build() {
        PersistenceUnitInfo unit = BreakerUnit.on(new LazyDataSource(settings.dataSource()));
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
}
