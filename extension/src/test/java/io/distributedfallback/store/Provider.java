package io.distributedfallback.store;

import io.distributedfallback.core.SchemaMode;
import jakarta.persistence.EntityManagerFactory;
import jakarta.persistence.spi.PersistenceProvider;
import jakarta.persistence.spi.PersistenceUnitInfo;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import javax.sql.DataSource;
import org.hibernate.jpa.HibernatePersistenceProvider;

/** The two providers that the store must work with. */
@SuppressWarnings("ImmutableEnumChecker") // the providers keep no state
enum Provider {
    HIBERNATE(new HibernatePersistenceProvider()),
    ECLIPSELINK(new org.eclipse.persistence.jpa.PersistenceProvider());

    private final PersistenceProvider provider;

    Provider(PersistenceProvider provider) {
        this.provider = provider;
    }

    EntityManagerFactory factory(PersistenceUnitInfo unit) {
        return provider.createContainerEntityManagerFactory(unit, Map.of());
    }

    JpaBreakerStore store(JpaStoreSettings settings) {
        return new JpaBreakerStore(settings, () -> List.of(provider));
    }

    JpaBreakerStore store(DataSource dataSource, SchemaMode schema, String prefix, String instance) {
        return store(new JpaStoreSettings(
                () -> dataSource, "jdbc/breakers", schema, prefix, instance, Duration.ofSeconds(20)));
    }

    JpaBreakerStore store(DataSource dataSource) {
        return store(dataSource, SchemaMode.CREATE, "", "one");
    }
}
