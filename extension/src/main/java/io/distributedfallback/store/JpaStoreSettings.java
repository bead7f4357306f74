package io.distributedfallback.store;

import io.distributedfallback.core.SchemaMode;
import java.time.Duration;
import java.util.Objects;
import java.util.function.Supplier;
import javax.sql.DataSource;

/**
 * What the store needs to know.
 *
 * @param dataSource finds the data source; called on first use, and again after it threw or gave {@code null}
 * @param dataSourceName what to call it in messages: its JNDI name
 * @param schema what to do about the tables on first use
 * @param prefix what goes before each breaker's name in the database, so that applications can share one; may be empty
 * @param instance the id of this instance
 * @param queryTimeout after this long, in whole seconds rounded up, a statement is cancelled; 1 ms or more
 */
public record JpaStoreSettings(
        Supplier<DataSource> dataSource,
        String dataSourceName,
        SchemaMode schema,
        String prefix,
        String instance,
        Duration queryTimeout) {
    public JpaStoreSettings {
        Objects.requireNonNull(dataSource, "dataSource");
        Objects.requireNonNull(dataSourceName, "dataSourceName");
        Objects.requireNonNull(schema, "schema");
        Objects.requireNonNull(prefix, "prefix");
        Objects.requireNonNull(instance, "instance");
        if (queryTimeout.toMillis() < 1) {
            throw new IllegalArgumentException("the query timeout must be 1 ms or more, not " + queryTimeout);
        }
    }
}
