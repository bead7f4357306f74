package io.distributedfallback.docs;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/** The pages of the guide, read from the project's directory: tests run in that of their module. */
public final class Guide {

    private static final Path PROJECT = Path.of("..");
    private static final Path PAGES = PROJECT.resolve("src/site/markdown");
    private static final Pattern LINK = Pattern.compile("(?<!!)\\[[^\\]]*\\]\\((?<target>[^)#\\s]+)(#[^)]*)?\\)");

    private Guide() {}

    /** The text of a page. */
    public static String page(String name) {
        return read(PAGES.resolve(name));
    }

    /** The text of one section of a page, from its heading to the next one. */
    public static String section(String page, String heading) {
        String text = page(page);
        int start = text.indexOf("\n## " + heading + "\n");
        if (start < 0) {
            throw new IllegalArgumentException("page " + page + " has no section " + heading);
        }
        int end = text.indexOf("\n## ", start + 1);
        return text.substring(start, end < 0 ? text.length() : end);
    }

    /** What the cells of one column of a section's tables hold as code, one for each row. */
    public static List<String> codeInColumn(String section, int column) {
        return section.lines()
                .filter(line -> line.startsWith("| `"))
                .map(line -> line.split("\\s*\\|\\s*", -1)[column].replaceAll("^`([^`]*)`.*$", "$1"))
                .toList();
    }

    /** Every page, those in the project's own directory included. */
    static List<Path> pages() {
        try (Stream<Path> guide = Files.walk(PAGES);
                Stream<Path> root = Files.list(PROJECT)) {
            return Stream.concat(guide, root)
                    .filter(file -> file.toString().endsWith(".md"))
                    .toList();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** The texts of the files of a name somewhere in a directory. */
    static Stream<String> sources(Path directory, String name) {
        try (Stream<Path> files = Files.walk(directory)) {
            return files.filter(file -> file.endsWith(name)).map(Guide::read).toList().stream();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** The files that a page links to; pictures are no links. */
    static Stream<Path> localLinks(Path page) {
        return LINK.matcher(read(page))
                .results()
                .map(MatchResult::group)
                .map(link -> link.substring(link.indexOf("](") + 2, link.length() - 1)
                        .replaceFirst("#.*", ""))
                .filter(target -> !target.contains("://"))
                .map(target -> page.resolveSibling(target).normalize());
    }

    static String read(Path file) {
        try {
            return Files.readString(file);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
