package io.distributedfallback.it.harness;

import java.io.IOException;
import java.nio.file.Files;
import java.util.Map;
import org.jboss.arquillian.core.api.annotation.Observes;
import org.jboss.arquillian.core.api.event.ManagerStarted;
import org.jboss.arquillian.core.api.event.ManagerStopping;
import org.jboss.arquillian.core.spi.LoadableExtension;

/** Puts in place what Arquillian's container needs before Arquillian reads its configuration. */
public final class ContainerParts implements LoadableExtension {

    /** The name of the server. */
    public static final String SERVER = "container";

    @Override
    public void register(ExtensionBuilder builder) {
        builder.observer(Preparation.class);
    }

    /** What the container's server has logged so far. */
    public static String log() throws IOException {
        return Files.readString(Places.libertyUser().resolve("servers/" + SERVER + "/logs/messages.log"));
    }

    /** Starts the database, and writes the server's definition. */
    public static final class Preparation {

        private Postgres postgres;

        public void prepare(@Observes(precedence = 100) ManagerStarted event) throws IOException {
            postgres = Postgres.empty();
            postgres.execute(
                    "postgres",
                    "CREATE DATABASE empty",
                    "CREATE ROLE reader LOGIN PASSWORD 'reader'",
                    "ALTER DEFAULT PRIVILEGES GRANT SELECT ON TABLES TO reader");
            int port = FreePort.any();
            LibertyFolder unused = LibertyFolder.define(
                    SERVER,
                    "liberty/container-server.xml",
                    port,
                    Map.of(
                            "db.port", Integer.toString(postgres.port()),
                            "db.away.port", Integer.toString(FreePort.any())));
            System.setProperty("container.name", SERVER);
            System.setProperty("container.http.port", Integer.toString(port));
        }

        public void cleanUp(@Observes ManagerStopping event) {
            if (postgres != null) {
                postgres.close();
            }
        }
    }
}
