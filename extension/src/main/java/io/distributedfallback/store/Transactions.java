package io.distributedfallback.store;

import jakarta.persistence.EntityManager;
import jakarta.persistence.EntityManagerFactory;
import jakarta.persistence.EntityTransaction;
import jakarta.persistence.Query;
import java.time.Duration;
import java.util.function.Function;

/** Runs each piece of work in a short transaction of its own, on a connection of its own. */
final class Transactions {

    private static final String QUERY_TIMEOUT = "jakarta.persistence.query.timeout";
    private static final String READ_COMMITTED = "read committed";

    private final EntityManagerFactory factory;
    private final int timeoutMillis;
    private volatile boolean isolating;

    Transactions(EntityManagerFactory factory, Duration queryTimeout) {
        this.factory = factory;
        timeoutMillis = Math.toIntExact(Math.min(queryTimeout.toMillis(), Integer.MAX_VALUE));
    }

    /**
     * The statements wait for a row's lock and then go on with what they find, which only READ COMMITTED does: above it,
     * whoever comes second gets 40001. Asks what the data source gives; if it is anything else, each transaction starts by
     * setting it, which costs a round trip that the usual case need not pay.
     */
    void adaptIsolation() {
        String given = run(entities -> (String)
                limit(entities.createNativeQuery(PostgresSql.ISOLATION)).getSingleResult());
        isolating = !given.equals(READ_COMMITTED);
    }

    /**
     * Runs it.
     *
     * @throws CommitFailure if the work was done and its commit failed; whatever the work throws otherwise
     */
    <T> T run(Function<EntityManager, T> work) {
        try (EntityManager entities = factory.createEntityManager()) {
            EntityTransaction transaction = entities.getTransaction();
            transaction.begin();
            try {
                if (isolating) {
                    entities.createNativeQuery(PostgresSql.READ_COMMITTED).executeUpdate();
                }
                T result = work.apply(entities);
                commit(transaction, result);
                return result;
            } catch (RuntimeException | Error failure) {
                rollBack(transaction, failure);
                throw failure;
            }
        }
    }

    /** Has the statement cancelled when it takes too long, so that one nobody waits for any more gives its connection back. */
    Query limit(Query query) {
        return query.setHint(QUERY_TIMEOUT, timeoutMillis);
    }

    /** Fails if no entity manager can be had; needs no connection. */
    void requireStart() {
        factory.createEntityManager().close();
    }

    void close() {
        if (factory.isOpen()) {
            factory.close();
        }
    }

    private static void commit(EntityTransaction transaction, Object result) {
        try {
            transaction.commit();
        } catch (RuntimeException failure) {
            throw new CommitFailure(failure, result);
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

    /** The work was done; then its commit was asked for, and failed, or no word came back of it. */
    static final class CommitFailure extends RuntimeException {

        private static final long serialVersionUID = 1L;

        private final transient Object result;

        CommitFailure(RuntimeException cause, Object result) {
            super(cause);
            this.result = result;
        }

        /** What the work had come to. */
        Object result() {
            return result;
        }
    }
}
