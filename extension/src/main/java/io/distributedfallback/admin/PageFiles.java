package io.distributedfallback.admin;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** The files of the page, and the description of the API. There are these, and no others can be asked for. */
final class PageFiles {

    private static final Map<String, File> FILES = Map.of(
            "/",
            new File("page/index.html", "text/html"),
            "/openapi.yaml",
            new File("openapi.yaml", "application/yaml"));

    /** A name with nothing in it that could lead out of the folder of the page. */
    private static final Pattern NAME = Pattern.compile("/(?<name>[a-z]+\\.(?<ending>html|css|js|svg))");

    private static final Map<String, String> TYPES =
            Map.of("html", "text/html", "css", "text/css", "js", "text/javascript", "svg", "image/svg+xml");

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
        if (path == null) {
            return Optional.empty();
        }
        Matcher name = NAME.matcher(path);
        return name.matches()
                ? Optional.of(new File("page/" + name.group("name"), TYPES.get(name.group("ending"))))
                : Optional.ofNullable(FILES.get(path));
    }
}
