package io.distributedfallback.admin;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.util.Map;
import java.util.Optional;

/** The files of the page, and the description of the API. There are these, and no others can be asked for. */
final class PageFiles {

    private static final Map<String, File> FILES = Map.of(
            "/", new File("page/index.html", "text/html"),
            "/index.html", new File("page/index.html", "text/html"),
            "/app.js", new File("page/app.js", "text/javascript"),
            "/app.css", new File("page/app.css", "text/css"),
            "/openapi.yaml", new File("openapi.yaml", "application/yaml"));

    private PageFiles() {}

    /** A file in this package. */
    record File(String name, String type) {

        byte[] bytes() {
            try (InputStream in = PageFiles.class.getResourceAsStream(name)) {
                if (in == null) {
                    throw Refusal.notFound("There is no such file");
                }
                return in.readAllBytes();
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        }
    }

    /** @param path null for the admin itself */
    static Optional<File> find(String path) {
        return Optional.ofNullable(path).map(FILES::get);
    }
}
