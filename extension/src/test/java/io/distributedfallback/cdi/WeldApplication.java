package io.distributedfallback.cdi;

import io.distributedfallback.Breakers;
import io.smallrye.config.PropertiesConfigSource;
import io.smallrye.config.SmallRyeConfigBuilder;
import java.util.HashMap;
import java.util.Map;
import org.eclipse.microprofile.config.Config;
import org.eclipse.microprofile.config.spi.ConfigProviderResolver;
import org.jboss.weld.environment.se.Weld;
import org.jboss.weld.environment.se.WeldContainer;

/** A few bean classes and the extension in Weld, with breakers in memory unless the settings say something else. */
final class WeldApplication implements AutoCloseable {

    private final Config config;
    private final WeldContainer container;

    private WeldApplication(Map<String, String> settings, Class<?>... beans) {
        config = new SmallRyeConfigBuilder()
                .withSources(new PropertiesConfigSource(settings, "test", 100))
                .build();
        ConfigProviderResolver.instance()
                .registerConfig(config, Thread.currentThread().getContextClassLoader());
        try {
            container = new Weld()
                    .disableDiscovery()
                    .addExtension(new DistributedFallbackExtension())
                    .addBeanClasses(DistributedFallbackInterceptor.class)
                    .addBeanClasses(beans)
                    .initialize();
        } catch (RuntimeException refused) {
            ConfigProviderResolver.instance().releaseConfig(config);
            throw refused;
        }
    }

    static WeldApplication of(Class<?>... beans) {
        return configured(Map.of(), beans);
    }

    static WeldApplication configured(Map<String, String> settings, Class<?>... beans) {
        Map<String, String> all = new HashMap<>(settings);
        all.putIfAbsent("distributed-fallback.store", "memory");
        return new WeldApplication(all, beans);
    }

    WeldContainer container() {
        return container;
    }

    <T> T bean(Class<T> type) {
        return container.select(type).get();
    }

    int failuresOf(String breaker) {
        return bean(Breakers.class).get(breaker).status().standing().consecutiveFailures();
    }

    boolean isOpen(String breaker) {
        return bean(Breakers.class).get(breaker).isOpen();
    }

    @Override
    public void close() {
        container.close();
        ConfigProviderResolver.instance().releaseConfig(config);
    }
}
