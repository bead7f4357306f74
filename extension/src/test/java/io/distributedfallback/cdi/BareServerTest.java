package io.distributedfallback.cdi;

import io.distributedfallback.Degraded;
import io.distributedfallback.DistributedFallback;
import io.distributedfallback.LastGood;
import io.distributedfallback.QueueWhenOpen;
import io.distributedfallback.core.SchemaMode;
import io.distributedfallback.core.StoreException;
import io.distributedfallback.store.JpaBreakerStore;
import io.distributedfallback.store.JpaStoreSettings;
import io.opentelemetry.api.OpenTelemetry;
import io.opentelemetry.sdk.OpenTelemetrySdk;
import io.opentelemetry.sdk.metrics.SdkMeterProvider;
import io.opentelemetry.sdk.testing.exporter.InMemoryMetricReader;
import jakarta.enterprise.context.ApplicationScoped;
import jakarta.enterprise.context.control.RequestContextController;
import jakarta.enterprise.inject.Produces;
import java.io.File;
import java.io.IOException;
import java.lang.reflect.Constructor;
import java.net.MalformedURLException;
import java.net.URL;
import java.net.URLClassLoader;
import java.time.Duration;
import java.util.Arrays;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.Callable;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/** A server with CDI and MicroProfile that has neither Jakarta Persistence nor Concurrency: not one of their classes. */
class BareServerTest {

    private static final Set<String> NO_JAKARTA = Set.of("jakarta.persistence.", "jakarta.enterprise.concurrent.");
    private static final Set<String> NOBODY_LOOKS =
            Set.of("org.eclipse.microprofile.metrics.", "org.eclipse.microprofile.health.", "io.opentelemetry.");
    private static final Set<String> NO_CAFFEINE = Set.of("com.github.benmanes.");
    private static final Set<String> NO_FAULT_TOLERANCE = Set.of("org.eclipse.microprofile.faulttolerance.");

    @Test
    void an_application_that_guards_nothing_is_deployed() throws Exception {
        assertThat(onThatServer(Unconcerned.class)).isEqualTo("deployed");
    }

    @Test
    void guarded_calls_go_on_with_breakers_in_memory() throws Exception {
        assertThat(onThatServer(Concerned.class)).isEqualTo("fallback, and the breaker is open");
    }

    @Test
    void without_metrics_telemetry_and_health_guarded_calls_work_and_are_not_seen() throws Exception {
        assertThat(onServer(NOBODY_LOOKS, Concerned.class)).isEqualTo("fallback, and the breaker is open");
    }

    @Test
    void with_telemetry_and_without_metrics_calls_are_counted_and_taken_away_at_the_end() throws Exception {
        assertThat(onServer(Set.of("org.eclipse.microprofile.metrics."), SeenByTelemetry.class))
                .isEqualTo("counted, then nothing");
    }

    @Test
    void the_store_says_at_first_use_what_is_missing() throws Exception {
        assertThat(onThatServer(AsksTheStore.class))
                .asString()
                .startsWith("DFB307: no Jakarta Persistence provider was found: data source jdbc/any")
                .contains("persistence feature");
    }

    @Test
    void without_fault_tolerance_the_deployment_fails_and_names_the_feature() throws Exception {
        assertThat(onServer(NO_FAULT_TOLERANCE, RefusedConcerned.class))
                .asString()
                .contains("DFB502: the server lacks an API: MicroProfile Fault Tolerance")
                .contains("mpFaultTolerance-4.1");
    }

    @Test
    void without_jakarta_rest_guarded_calls_work_and_no_header_tells_of_them() throws Exception {
        assertThat(onServer(Set.of("jakarta.ws.rs."), WantsTheHeader.class)).isEqualTo("fallback, degraded [rawg]");
    }

    static final class WantsTheHeader implements Callable<String> {
        @Override
        public String call() throws IOException {
            try (WeldApplication application = WeldApplication.configured(
                    Map.of("distributed-fallback.degraded-header", "Degraded"), Guarded.class)) {
                RequestContextController request = application.bean(RequestContextController.class);
                request.activate();
                try {
                    String answer = application.bean(Guarded.class).ask();
                    return answer + ", degraded "
                            + application.bean(Degraded.class).breakers();
                } finally {
                    request.deactivate();
                }
            }
        }
    }

    @Test
    void without_caffeine_all_but_last_good_results_works() throws Exception {
        assertThat(onServer(NO_CAFFEINE, Concerned.class)).isEqualTo("fallback, and the breaker is open");
    }

    @Test
    void without_caffeine_last_good_results_fail_the_deployment_which_names_what_to_add() throws Exception {
        assertThat(onServer(NO_CAFFEINE, WantsLastGood.class))
                .asString()
                .contains("DFB121: the library that keeps last good results is missing: " + Keeping.class.getName()
                        + ".ask [@LastGood]. Add com.github.ben-manes.caffeine:caffeine:3 to the application");
    }

    @ApplicationScoped
    static class Keeping {
        @LastGood
        @DistributedFallback(breaker = "rawg")
        String ask() {
            return "primary";
        }
    }

    static final class WantsLastGood implements Callable<String> {
        @Override
        public String call() {
            try (WeldApplication application = WeldApplication.configured(Map.of(), Keeping.class)) {
                return application.bean(Keeping.class).ask();
            } catch (RuntimeException | LinkageError refusal) {
                return refusal.toString();
            }
        }
    }

    @Test
    void without_jakarta_rest_guarded_calls_work() throws Exception {
        assertThat(onServer(Set.of("jakarta.ws.rs."), Concerned.class)).isEqualTo("fallback, and the breaker is open");
    }

    @Test
    void without_servlets_all_but_the_admin_works() throws Exception {
        assertThat(onServer(Set.of("jakarta.servlet."), WantsTheAdmin.class)).isEqualTo("deployed");
    }

    @Test
    void without_json_a_queue_fails_the_deployment_and_names_the_feature() throws Exception {
        assertThat(onServer(Set.of("jakarta.json."), WantsAQueue.class))
                .asString()
                .contains("DFB133: the server cannot write arguments as JSON")
                .contains("jsonb-3.0");
    }

    @ApplicationScoped
    static class Queued {
        @DistributedFallback(breaker = "rawg")
        @QueueWhenOpen
        void ask(String text) throws IOException {
            throw new IOException("HTTP 503");
        }
    }

    static final class WantsAQueue implements Callable<String> {
        @Override
        public String call() {
            try (WeldApplication application =
                    WeldApplication.configured(Map.of("distributed-fallback.store", "jpa"), Queued.class)) {
                return application.bean(Queued.class) == null ? "no bean" : "deployed";
            } catch (RuntimeException | LinkageError refusal) {
                return refusal.toString();
            }
        }
    }

    static final class WantsTheAdmin implements Callable<String> {
        @Override
        public String call() {
            try (WeldApplication application = WeldApplication.configured(
                    Map.of("distributed-fallback.admin.enabled", "true", "distributed-fallback.admin.role", "viewer"),
                    Guarded.class)) {
                return application.bean(Guarded.class) == null ? "no bean" : "deployed";
            }
        }
    }

    static final class RefusedConcerned implements Callable<String> {
        @Override
        public String call() throws IOException {
            try {
                return new Concerned().call();
            } catch (RuntimeException | LinkageError refusal) {
                return refusal.toString();
            }
        }
    }

    private static Object onThatServer(Class<? extends Callable<String>> application) throws Exception {
        return onServer(NO_JAKARTA, application);
    }

    private static Object onServer(Set<String> missing, Class<? extends Callable<String>> application)
            throws Exception {
        Thread thread = Thread.currentThread();
        ClassLoader before = thread.getContextClassLoader();
        try (URLClassLoader server = new BareServer(missing)) {
            thread.setContextClassLoader(server);
            Class<?> there = server.loadClass(application.getName());
            assertThat(there).isNotSameAs(application);
            Constructor<?> constructor = there.getDeclaredConstructor();
            constructor.setAccessible(true);
            return ((Callable<?>) constructor.newInstance()).call();
        } finally {
            thread.setContextClassLoader(before);
        }
    }

    @ApplicationScoped
    static class Plain {}

    static final class Unconcerned implements Callable<String> {
        @Override
        public String call() {
            try (WeldApplication application =
                    WeldApplication.configured(Map.of("distributed-fallback.store", "jpa"), Plain.class)) {
                return application.bean(Plain.class) == null ? "no bean" : "deployed";
            }
        }
    }

    @ApplicationScoped
    static class Guarded {
        @DistributedFallback(breaker = "rawg", fallbackMethod = "instead")
        String ask() throws IOException {
            throw new IOException("HTTP 503");
        }

        String instead() {
            return "fallback";
        }
    }

    static final class Concerned implements Callable<String> {
        @Override
        public String call() throws IOException {
            try (WeldApplication application =
                    WeldApplication.configured(Map.of("distributed-fallback.store", "jpa"), Guarded.class)) {
                Guarded bean = application.bean(Guarded.class);
                bean.ask();
                bean.ask();
                return bean.ask() + (application.isOpen("rawg") ? ", and the breaker is open" : "");
            }
        }
    }

    @ApplicationScoped
    static class Telemetry {

        static final InMemoryMetricReader READER = InMemoryMetricReader.create();

        @Produces
        @ApplicationScoped
        OpenTelemetry telemetry() {
            return OpenTelemetrySdk.builder()
                    .setMeterProvider(SdkMeterProvider.builder()
                            .registerMetricReader(READER)
                            .build())
                    .build();
        }
    }

    static final class SeenByTelemetry implements Callable<String> {
        @Override
        public String call() throws IOException {
            try (WeldApplication application = WeldApplication.configured(Map.of(), Guarded.class, Telemetry.class)) {
                application.bean(Guarded.class).ask();
                if (Telemetry.READER.collectAllMetrics().stream()
                        .noneMatch(metric -> metric.getName().equals("distributedfallback.calls.total"))) {
                    return "not counted";
                }
            }
            return Telemetry.READER.collectAllMetrics().isEmpty() ? "counted, then nothing" : "still there";
        }
    }

    static final class AsksTheStore implements Callable<String> {
        @Override
        public String call() {
            JpaBreakerStore store = new JpaBreakerStore(new JpaStoreSettings(
                    () -> {
                        throw new IllegalStateException("nobody asks for it");
                    },
                    "jdbc/any",
                    SchemaMode.NONE,
                    "",
                    "test",
                    Duration.ofSeconds(1)));
            store.prepare();
            try {
                return "answered " + store.readAll();
            } catch (StoreException told) {
                return told.getMessage();
            } finally {
                store.close();
            }
        }
    }

    private static final class BareServer extends URLClassLoader {

        private final Set<String> missing;

        BareServer(Set<String> missing) {
            super(
                    Arrays.stream(System.getProperty("java.class.path").split(File.pathSeparator, -1))
                            .map(BareServer::url)
                            .toArray(URL[]::new),
                    ClassLoader.getPlatformClassLoader());
            this.missing = missing;
        }

        private static URL url(String entry) {
            try {
                return new File(entry).toURI().toURL();
            } catch (MalformedURLException e) {
                throw new IllegalArgumentException(entry, e);
            }
        }

        @Override
        protected Class<?> findClass(String name) throws ClassNotFoundException {
            if (missing.stream().anyMatch(name::startsWith)) {
                throw new ClassNotFoundException(name);
            }
            return super.findClass(name);
        }
    }
}
