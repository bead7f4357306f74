package io.distributedfallback.core;

import io.grpc.Metadata;
import io.grpc.Status;
import jakarta.ws.rs.NotFoundException;
import java.io.File;
import java.lang.ref.WeakReference;
import java.lang.reflect.Constructor;
import java.lang.reflect.Method;
import java.net.ConnectException;
import java.net.MalformedURLException;
import java.net.URI;
import java.net.URL;
import java.net.URLClassLoader;
import java.util.ArrayList;
import java.util.List;
import org.eclipse.microprofile.faulttolerance.exceptions.BulkheadException;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/** The product's classes and those of its surroundings, each in class loaders of their own, as on a server. */
class ClassPathIndependenceTest {

    private static final ClassLoader JDK_ONLY = ClassLoader.getPlatformClassLoader();

    @Test
    void knows_exceptions_whose_classes_it_cannot_see() throws Exception {
        try (URLClassLoader alone = productAlone()) {
            assertThat(classifyIn(alone, new NotFoundException())).contains("CALLER_ERROR");
            assertThat(classifyIn(alone, new BulkheadException("full"))).contains("LOCAL");
            assertThat(classifyIn(alone, new ConnectException("refused"))).contains("OUTAGE");
        }
    }

    @Test
    void reads_the_status_and_the_pushback_of_grpc_without_seeing_its_classes() throws Exception {
        Metadata trailers = new Metadata();
        trailers.put(Metadata.Key.of("grpc-retry-pushback-ms", Metadata.ASCII_STRING_MARSHALLER), "2500");
        try (URLClassLoader alone = productAlone()) {
            assertThat(classifyIn(alone, Status.NOT_FOUND.asRuntimeException())).contains("CALLER_ERROR");
            assertThat(classifyIn(alone, Status.RESOURCE_EXHAUSTED.asException(trailers)))
                    .contains("THROTTLED")
                    .contains("PT2.5S");
        }
    }

    @Test
    void knows_exceptions_whichever_class_loader_they_come_from() throws Exception {
        try (URLClassLoader other = new URLClassLoader(wholeClassPath(), JDK_ONLY)) {
            Throwable notFound = madeIn(other, NotFoundException.class.getName());
            assertThat(notFound.getClass()).isNotSameAs(NotFoundException.class);
            assertThat(new BuiltInClassifier().classify(notFound).orElseThrow().kind())
                    .hasToString("CALLER_ERROR");
        }
    }

    @Test
    void keeps_no_undeployed_application_in_memory() throws Exception {
        WeakReference<ClassLoader> undeployed = classifyAndUndeploy();

        for (int i = 0; i < 50 && undeployed.get() != null; i++) {
            System.gc();
        }
        assertThat(undeployed.get()).isNull();
    }

    private static WeakReference<ClassLoader> classifyAndUndeploy() throws Exception {
        try (URLClassLoader application = productAlone()) {
            // A class of the JDK, which outlives the application and with it all that is attached to the class.
            assertThat(classifyIn(application, new ConnectException("refused"))).contains("OUTAGE");
            assertThat(classifyIn(application, new NotFoundException())).contains("CALLER_ERROR");
            assertThat(classifyIn(application, Status.UNAVAILABLE.asRuntimeException(new Metadata())))
                    .contains("OUTAGE");
            return new WeakReference<>(application);
        }
    }

    private static String classifyIn(ClassLoader loader, Throwable failure) throws Exception {
        Class<?> type = loader.loadClass(BuiltInClassifier.class.getName());
        assertThat(type).isNotSameAs(BuiltInClassifier.class);
        Constructor<?> constructor = type.getDeclaredConstructor();
        constructor.setAccessible(true);
        Method classify = type.getMethod("classify", Throwable.class);
        classify.setAccessible(true);
        return String.valueOf(classify.invoke(constructor.newInstance(), failure));
    }

    private static Throwable madeIn(ClassLoader loader, String type) throws Exception {
        Thread thread = Thread.currentThread();
        ClassLoader before = thread.getContextClassLoader();
        thread.setContextClassLoader(loader);
        try {
            return (Throwable) loader.loadClass(type).getConstructor().newInstance();
        } finally {
            thread.setContextClassLoader(before);
        }
    }

    private static URLClassLoader productAlone() {
        URL product =
                BuiltInClassifier.class.getProtectionDomain().getCodeSource().getLocation();
        return new URLClassLoader(new URL[] {product}, JDK_ONLY);
    }

    private static URL[] wholeClassPath() throws MalformedURLException {
        List<URL> urls = new ArrayList<>();
        for (String entry : System.getProperty("java.class.path").split(File.pathSeparator, -1)) {
            URI uri = new File(entry).toURI();
            urls.add(uri.toURL());
        }
        return urls.toArray(URL[]::new);
    }
}
