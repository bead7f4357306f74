package io.distributedfallback.cdi;

import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.logging.Handler;
import java.util.logging.Level;
import java.util.logging.LogRecord;
import java.util.logging.Logger;
import java.util.logging.SimpleFormatter;
import java.util.stream.Stream;
import org.jboss.weld.environment.se.WeldContainer;
import org.junit.jupiter.api.AfterEach;

/** Beans in a container of their own, with breakers in memory. */
abstract class InWeld {

    final Map<String, String> settings = new HashMap<>(Map.of("distributed-fallback.store", "memory"));
    final Warnings warnings = new Warnings();
    WeldContainer container;
    private WeldApplication application;

    /** Starts an application of these beans, and has the first. */
    <T> T start(Class<T> bean, Class<?>... more) {
        startAll(bean, more);
        return container.select(bean).get();
    }

    void startAll(Class<?> bean, Class<?>... more) {
        Warnings.LOG.addHandler(warnings);
        application = WeldApplication.configured(
                settings, Stream.concat(Stream.of(bean), Arrays.stream(more)).toArray(Class<?>[]::new));
        container = application.container();
    }

    int failuresOf(String breaker) {
        return application.failuresOf(breaker);
    }

    @AfterEach
    void stop() {
        Warnings.LOG.removeHandler(warnings);
        if (application != null) {
            application.close();
            application = null;
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
