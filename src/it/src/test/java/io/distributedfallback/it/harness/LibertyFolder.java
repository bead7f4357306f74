package io.distributedfallback.it.harness;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.jboss.shrinkwrap.api.exporter.ZipExporter;
import org.jboss.shrinkwrap.api.spec.WebArchive;

/** The folder of one server: its settings, its applications, its log. */
record LibertyFolder(Path path) {

    /** Small and quick to start: several of them share the machine with the tests. */
    static final List<String> JVM_OPTIONS =
            List.of("-Xmx256m", "-XX:+UseSerialGC", "-XX:TieredStopAtLevel=1", "-Xshare:auto");

    private static final String APPLICATION = "apps/app.war";

    /** Writes the folder of a server, for whoever starts it. */
    static LibertyFolder define(String name, String serverXml, int port, Map<String, String> variables)
            throws IOException {
        LibertyFolder folder =
                new LibertyFolder(Places.libertyUser().resolve("servers").resolve(name));
        folder.delete();
        Files.createDirectories(folder.path);
        try (InputStream xml = LibertyFolder.class.getClassLoader().getResourceAsStream(serverXml)) {
            Files.copy(xml, folder.path.resolve("server.xml"), StandardCopyOption.REPLACE_EXISTING);
        }
        List<String> lines = new ArrayList<>();
        lines.add("http.port=" + port);
        lines.add("server.label=" + name);
        lines.add("jdbc.driver.dir=" + Places.jdbcDriver());
        variables.forEach((key, value) -> lines.add(key + "=" + value));
        Files.write(folder.path.resolve("bootstrap.properties"), lines);
        folder.setOptions(JVM_OPTIONS);
        return folder;
    }

    private void delete() throws IOException {
        if (!Files.exists(path)) {
            return;
        }
        try (Stream<Path> files = Files.walk(path)) {
            for (Path file : files.sorted((a, b) -> b.compareTo(a)).toList()) {
                Files.delete(file);
            }
        }
    }

    String name() {
        return String.valueOf(path.getFileName());
    }

    /** All options of its JVM. */
    void setOptions(List<String> options) throws IOException {
        Files.write(path.resolve("jvm.options"), options);
    }

    Path console() {
        return path.resolve("console.log");
    }

    String log() {
        try {
            return Files.readString(console());
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Puts an archive in the place of the application. */
    void serve(WebArchive application) {
        try {
            Files.createDirectories(path.resolve("apps"));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        application.as(ZipExporter.class).exportTo(path.resolve(APPLICATION).toFile(), true);
    }

    void undeploy() {
        remove(path.resolve(APPLICATION));
    }

    /** Puts an archive beside the application, whole at once, so that the server never sees half of it. */
    void drop(WebArchive another) {
        try {
            Path whole = Files.createDirectories(path.resolve("whole")).resolve(another.getName());
            another.as(ZipExporter.class).exportTo(whole.toFile(), true);
            Path dropped = Files.createDirectories(path.resolve("dropins")).resolve(another.getName());
            Files.move(whole, dropped, StandardCopyOption.REPLACE_EXISTING);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    void take(WebArchive another) {
        remove(path.resolve("dropins").resolve(another.getName()));
    }

    private static void remove(Path file) {
        try {
            Files.delete(file);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
