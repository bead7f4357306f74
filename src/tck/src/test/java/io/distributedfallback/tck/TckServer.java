package io.distributedfallback.tck;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.List;
import java.util.stream.Stream;
import org.jboss.arquillian.core.api.annotation.Observes;
import org.jboss.arquillian.core.api.event.ManagerStarted;
import org.jboss.arquillian.core.spi.LoadableExtension;

/** Defines the server that Arquillian starts for a run of the TCK. */
public final class TckServer implements LoadableExtension {

    private static final List<String> JVM_OPTIONS =
            List.of("-Xmx512m", "-XX:+UseSerialGC", "-XX:TieredStopAtLevel=1", "-Xshare:auto");

    @Override
    public void register(ExtensionBuilder builder) {
        builder.observer(Definition.class);
        if (!TckRun.isWithoutExtension()) {
            builder.observer(ExtensionInEveryArchive.class);
        }
    }

    /** Writes the server's definition before Arquillian reads its own. */
    public static final class Definition {

        public void write(@Observes(precedence = 100) ManagerStarted event) throws IOException {
            Path folder = TckRun.current().server();
            delete(folder);
            Files.createDirectories(folder);
            try (InputStream xml = TckServer.class.getResourceAsStream("/liberty/server.xml")) {
                Files.copy(xml, folder.resolve("server.xml"));
            }
            int port = freePort();
            Files.write(folder.resolve("bootstrap.properties"), List.of("http.port=" + port));
            Files.write(folder.resolve("jvm.options"), JVM_OPTIONS);
            System.setProperty("tck.server", TckRun.current().serverName());
            System.setProperty("tck.http.port", Integer.toString(port));
        }

        private static int freePort() {
            try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
                return socket.getLocalPort();
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        }

        private static void delete(Path folder) throws IOException {
            if (!Files.exists(folder)) {
                return;
            }
            try (Stream<Path> files = Files.walk(folder)) {
                for (Path file : files.sorted(Comparator.reverseOrder()).toList()) {
                    Files.delete(file);
                }
            }
        }
    }
}
