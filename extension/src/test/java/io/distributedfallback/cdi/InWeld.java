package io.distributedfallback.cdi;

import io.distributedfallback.Breakers;
import io.smallrye.config.PropertiesConfigSource;
import io.smallrye.config.SmallRyeConfigBuilder;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.logging.Handler;
import java.util.logging.Level;
import java.util.logging.LogRecord;
import java.util.logging.Logger;
import java.util.logging.SimpleFormatter;
import org.eclipse.microprofile.config.Config;
import org.eclipse.microprofile.config.spi.ConfigProviderResolver;
import org.jboss.weld.environment.se.Weld;
import org.jboss.weld.environment.se.WeldContainer;
import org.junit.jupiter.api.AfterEach;

/** Beans in a container of their own, with breakers in memory. */
abstract class InWeld {

    final Map<String, String> settings = new HashMap<>(Map.of("distributed-fallback.store", "memory"));
    final Warnings warnings = new Warnings();
    WeldContainer container;
    private Config config;

    /** Starts an application of these beans, and has the first. */
    <T> T start(Class<T> bean, Class<?>... more) {
        startAll(bean, more);
        return container.select(bean).get();
    }

    void startAll(Class<?> bean, Class<?>... more) {
        config = new SmallRyeConfigBuilder()
                .withSources(new PropertiesConfigSource(settings, "test", 100))
                .build();
        ConfigProviderResolver.instance()
                .registerConfig(config, Thread.currentThread().getContextClassLoader());
        Warnings.LOG.addHandler(warnings);
        container = new Weld()
                .disableDiscovery()
                .addExtension(new DistributedFallbackExtension())
                .addBeanClasses(DistributedFallbackInterceptor.class, bean)
                .addBeanClasses(more)
                .initialize();
    }

    int failuresOf(String breaker) {
        return container
                .select(Breakers.class)
                .get()
                .get(breaker)
                .status()
                .standing()
                .consecutiveFailures();
    }

    @AfterEach
    void stop() {
        Warnings.LOG.removeHandler(warnings);
        if (container != null) {
            container.close();
        }
        if (config != null) {
            ConfigProviderResolver.instance().releaseConfig(config);
        }
    }

    /** What is logged as a warning. */
    static final class Warnings extends Handler {

        private static final Logger LOG = Logger.getLogger("io.distributedfallback");
        private final List<String> lines = new CopyOnWriteArrayList<>();

        /** Those of a code. */
        List<String> of(String code) {
            return lines.stream().filter(line -> line.startsWith(code)).toList();
        }

        @Override
        public void publish(LogRecord record) {
            if (record.getLevel().equals(Level.WARNING)) {
                lines.add(new SimpleFormatter().formatMessage(record));
            }
        }

        @Override
        public void flush() {
            // Nothing is held back.
        }

        @Override
        public void close() {
            // Nothing is open.
        }
    }
}
