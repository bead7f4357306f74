package io.distributedfallback.tck;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import org.jboss.arquillian.container.test.spi.client.deployment.ApplicationArchiveProcessor;
import org.jboss.arquillian.test.spi.TestClass;
import org.jboss.shrinkwrap.api.Archive;
import org.jboss.shrinkwrap.api.container.LibraryContainer;

/** Puts the extension's jar among the libraries of an archive, as a user would, and keeps a record of it. */
public final class ExtensionInEveryArchive implements ApplicationArchiveProcessor {

    private final Path jar = Path.of(System.getProperty("extension.jar"));

    @Override
    public void process(Archive<?> archive, TestClass testClass) {
        if (!(archive instanceof LibraryContainer<?> application)) {
            throw new IllegalStateException(
                    archive.getName() + " of " + testClass.getName() + " has no place for libraries");
        }
        application.addAsLibrary(jar.toFile());
        if (!archive.contains("/WEB-INF/lib/" + jar.getFileName())) {
            throw new IllegalStateException(archive + " does not have the jar in WEB-INF/lib");
        }
        try {
            TckRun.current().recordArchive(testClass.getName(), archive.getName());
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
