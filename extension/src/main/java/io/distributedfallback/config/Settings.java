package io.distributedfallback.config;

import io.distributedfallback.core.SchemaMode;
import io.distributedfallback.core.Timings;
import java.util.Objects;

/**
 * What is the same for all breakers of an instance. Read once, at deployment.
 *
 * @param store where the breakers live
 * @param datasource key {@code datasource}: a JNDI name, by default {@value #DEFAULT_DATASOURCE}
 * @param executor key {@code executor}: a JNDI name, by default {@value #DEFAULT_EXECUTOR}
 * @param timings keys {@code snapshot.fresh}, {@code snapshot.max-age}, {@code store.read-timeout},
 *     {@code store.write-timeout}, {@code store.retire-after} and {@code history.retention}, by default {@link Timings#DEFAULT}
 * @param identity who this instance is and which breakers are its own
 * @param withMetrics key {@code metrics}, by default true: whether metrics are shown where the server has an API for them
 */
public record Settings(
        Store store, String datasource, String executor, Timings timings, Identity identity, boolean withMetrics) {

    /** The data source of the default. */
    public static final String DEFAULT_DATASOURCE = "java:comp/DefaultDataSource";

    /** The executor of the default. */
    public static final String DEFAULT_EXECUTOR = "java:comp/DefaultManagedExecutorService";

    public Settings {
        Objects.requireNonNull(store, "store");
        Objects.requireNonNull(datasource, "datasource");
        Objects.requireNonNull(executor, "executor");
        Objects.requireNonNull(timings, "timings");
        Objects.requireNonNull(identity, "identity");
    }

    /**
     * Where breakers live.
     *
     * @param kind key {@code store}, by default {@link StoreKind#JPA}
     * @param schema key {@code schema}, by default {@link SchemaMode#VALIDATE}
     * @param readAtStart key {@code snapshot.at-start}, by default true: whether the store is read in the background as
     *     soon as the application has started, and not only for the first call
     * @param push key {@code push}, by default {@link PushMode#AUTO}
     */
    public record Store(StoreKind kind, SchemaMode schema, boolean readAtStart, PushMode push) {

        /** The defaults. */
        public static final Store DEFAULT = new Store(StoreKind.JPA, SchemaMode.VALIDATE, true, PushMode.AUTO);

        public Store {
            Objects.requireNonNull(kind, "kind");
            Objects.requireNonNull(schema, "schema");
            Objects.requireNonNull(push, "push");
        }
    }

    /**
     * Who an instance is.
     *
     * @param instance key {@code instance-id}: the name of the instance in rows, events and logs; 1 to
     *     {@value #LONGEST} characters, by default a short random one
     * @param prefix key {@code prefix}: goes before each breaker's name in the store, so that applications can share a
     *     database; at most {@value #LONGEST} characters, by default none
     */
    public record Identity(String instance, String prefix) {

        /** The most characters of either. */
        public static final int LONGEST = 100;

        public Identity {
            Objects.requireNonNull(instance, "instance");
            Objects.requireNonNull(prefix, "prefix");
        }
    }
}
