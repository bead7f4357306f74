package io.distributedfallback.store;

import jakarta.persistence.SharedCacheMode;
import jakarta.persistence.ValidationMode;
import jakarta.persistence.spi.ClassTransformer;
import jakarta.persistence.spi.PersistenceUnitInfo;
import jakarta.persistence.spi.PersistenceUnitTransactionType;
import java.net.URL;
import java.util.List;
import java.util.Properties;
import java.util.UUID;
import javax.sql.DataSource;

/**
 * The persistence unit, in code: a {@code META-INF/persistence.xml} in the jar would meddle with the application's own
 * unit (an unnamed {@code @PersistenceContext} there would become ambiguous, or bind to ours).
 */
final class BreakerUnit implements PersistenceUnitInfo {

    private static final String NAME = "distributed-fallback";

    private final DataSource dataSource;

    private BreakerUnit(DataSource dataSource) {
        this.dataSource = dataSource;
    }

    /** By its interface, so that the caller's class can be verified without loading it: a server may not have it. */
    static PersistenceUnitInfo on(DataSource dataSource) {
        return new BreakerUnit(dataSource);
    }

    @Override
    public String getPersistenceUnitName() {
        return NAME;
    }

    /** None in particular: the first provider of the server or the application that takes the unit. */
    @Override
    public String getPersistenceProviderClassName() {
        return null;
    }

    /** The caller's transaction must not take the evidence of a failure with it when it rolls back. */
    @Override
    public PersistenceUnitTransactionType getTransactionType() {
        return PersistenceUnitTransactionType.RESOURCE_LOCAL;
    }

    @Override
    public DataSource getJtaDataSource() {
        return null;
    }

    @Override
    public DataSource getNonJtaDataSource() {
        return dataSource;
    }

    @Override
    public List<String> getMappingFileNames() {
        return List.of();
    }

    @Override
    public List<URL> getJarFileUrls() {
        return List.of();
    }

    /** Where this package's files are. Nothing is looked for there, but EclipseLink insists on a place. */
    @Override
    public URL getPersistenceUnitRootUrl() {
        return getClass().getResource("");
    }

    @Override
    public List<String> getManagedClassNames() {
        return List.of(StoredBreaker.class.getName(), StoredTransition.class.getName());
    }

    @Override
    public boolean excludeUnlistedClasses() {
        return true;
    }

    /** Every answer must be the database's own. */
    @Override
    public SharedCacheMode getSharedCacheMode() {
        return SharedCacheMode.NONE;
    }

    @Override
    public ValidationMode getValidationMode() {
        return ValidationMode.NONE;
    }

    @Override
    public Properties getProperties() {
        Properties properties = new Properties();
        properties.setProperty("jakarta.persistence.schema-generation.database.action", "none");
        setForHibernate(properties);
        setForEclipseLink(properties);
        return properties;
    }

    @Override
    public String getPersistenceXMLSchemaVersion() {
        return "3.0";
    }

    @Override
    public ClassLoader getClassLoader() {
        return getClass().getClassLoader();
    }

    /**
     * Nothing is woven into the entities. So Hibernate's enhancer, which fails on Open Liberty for every class of an
     * application (CWWJP0055E), is never called, and need not be switched off by a setting that Hibernate warns of.
     */
    @Override
    public void addTransformer(ClassTransformer transformer) {}

    @Override
    public ClassLoader getNewTempClassLoader() {
        return new ClassLoader(getClassLoader()) {};
    }

    private static void setForHibernate(Properties properties) {
        // The database is told, not asked: so the unit can be built while the database is away.
        properties.setProperty("hibernate.boot.allow_jdbc_metadata_access", "false");
        properties.setProperty("jakarta.persistence.database-product-name", "PostgreSQL");
        properties.setProperty("jakarta.persistence.database-major-version", "14");
        properties.setProperty("jakarta.persistence.database-minor-version", "0");
        properties.setProperty("hibernate.archive.autodetection", "none");
        properties.setProperty("hibernate.cache.use_second_level_cache", "false");
        properties.setProperty("hibernate.cache.use_query_cache", "false");
    }

    private static void setForEclipseLink(Properties properties) {
        properties.setProperty("eclipselink.target-database", "PostgreSQL");
        properties.setProperty("eclipselink.target-server", "None");
        properties.setProperty("eclipselink.weaving", "false");
        properties.setProperty("eclipselink.cache.shared.default", "false");
        properties.setProperty("eclipselink.exclude-eclipselink-orm", "true");
        // It keeps sessions in a map of the whole JVM: without a name of its own a unit would get the session, and the
        // data source, of another application.
        properties.setProperty("eclipselink.session-name", NAME + "-" + UUID.randomUUID());
        // It may take a statement that answers with rows for a read, and run it beside the transaction. With its
        // defaults of today it does not; nothing here shall hang on them.
        properties.setProperty("eclipselink.transaction.join-existing", "true");
        // Every failure leaves as a StoreException; the provider need not log it as well.
        properties.setProperty("eclipselink.logging.level", "OFF");
    }
}
