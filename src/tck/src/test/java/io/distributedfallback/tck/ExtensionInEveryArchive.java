package io.distributedfallback.tck;

import java.io.IOException;
import java.nio.file.Path;
import org.jboss.arquillian.container.spi.client.deployment.DeploymentDescription;
import org.jboss.arquillian.container.spi.event.container.BeforeDeploy;
import org.jboss.arquillian.core.api.annotation.Observes;
import org.jboss.shrinkwrap.api.Archive;
import org.jboss.shrinkwrap.api.container.LibraryContainer;

/**
 * Puts the extension's jar among the libraries of an archive, as a user would, and keeps a record of it. Not an archive
 * processor of Arquillian: that is not asked about archives whose deployment is meant to fail.
 */
public final class ExtensionInEveryArchive {

    private final Path jar = Path.of(System.getProperty("extension.jar"));

    /** Runs before the archive goes to the server. */
    public void add(@Observes BeforeDeploy event) throws IOException {
        DeploymentDescription deployment = event.getDeployment();
        Archive<?> archive = deployment.testable() ? deployment.getTestableArchive() : deployment.getArchive();
        if (!(archive instanceof LibraryContainer<?> application)) {
            throw new IllegalStateException(archive.getName() + " has no place for libraries");
        }
        application.addAsLibrary(jar.toFile());
        if (!archive.contains("/WEB-INF/lib/" + jar.getFileName())) {
            throw new IllegalStateException(archive.getName() + " does not have the jar in WEB-INF/lib");
        }
        TckRun.current().recordArchive(archive.getName());
    }
}
