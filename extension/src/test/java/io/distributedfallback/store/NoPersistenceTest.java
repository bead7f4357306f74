package io.distributedfallback.store;

import io.distributedfallback.core.SchemaMode;
import io.distributedfallback.core.StoreException;
import java.io.File;
import java.lang.reflect.Constructor;
import java.net.MalformedURLException;
import java.net.URI;
import java.net.URL;
import java.net.URLClassLoader;
import java.time.Duration;
import java.util.Arrays;
import java.util.concurrent.Callable;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/** A server that has no Jakarta Persistence at all: not one of its classes can be loaded. */
class NoPersistenceTest {

    @Test
    void the_store_can_be_made_and_prepared_and_says_at_first_use_what_is_missing() throws Exception {
        try (URLClassLoader server = new WithoutPersistence()) {
            Class<?> attempt = server.loadClass(Attempt.class.getName());
            assertThat(attempt).isNotSameAs(Attempt.class);
            Constructor<?> constructor = attempt.getDeclaredConstructor();
            constructor.setAccessible(true);
            assertThat(((Callable<?>) constructor.newInstance()).call())
                    .asString()
                    .startsWith("DFB307: no Jakarta Persistence provider was found: data source jdbc/any")
                    .contains("persistence feature");
        }
    }

    /** Runs in the class loader of that server. */
    static final class Attempt implements Callable<String> {

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

    private static final class WithoutPersistence extends URLClassLoader {

        WithoutPersistence() {
            super(
                    Arrays.stream(System.getProperty("java.class.path").split(File.pathSeparator, -1))
                            .map(entry -> url(new File(entry).toURI()))
                            .toArray(URL[]::new),
                    ClassLoader.getPlatformClassLoader());
        }

        private static URL url(URI file) {
            try {
                return file.toURL();
            } catch (MalformedURLException e) {
                throw new IllegalArgumentException(e);
            }
        }

        @Override
        protected Class<?> findClass(String name) throws ClassNotFoundException {
            if (name.startsWith("jakarta.persistence.")) {
                throw new ClassNotFoundException(name);
            }
            return super.findClass(name);
        }
    }
}
