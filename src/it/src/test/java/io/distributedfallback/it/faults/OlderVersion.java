package io.distributedfallback.it.faults;

import io.distributedfallback.DistributedFallback;
import java.io.File;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.net.URISyntaxException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import java.util.zip.ZipEntry;
import java.util.zip.ZipInputStream;
import javax.tools.JavaCompiler;
import javax.tools.JavaFileObject;
import javax.tools.StandardJavaFileManager;
import javax.tools.ToolProvider;

/**
 * The product as it was before a version of the tables came, out of its own history: real older code, not a likeness of it.
 *
 * @param classPath of a process with it in the place of today's
 */
record OlderVersion(String classPath) {

    private static final String MAIN = "extension/src/main";
    private static final Path FOLDER = Path.of("target", "faults", "older").toAbsolutePath();

    /** The last one before that file came; empty if the history does not reach so far back. */
    static Optional<OlderVersion> before(String definition) {
        String file = MAIN + "/resources/io/distributedfallback/store/postgresql/" + definition;
        try {
            Path root = Path.of(git("rev-parse", "--show-toplevel").orElse("."));
            Optional<String> came =
                    git("-C", root.toString(), "log", "-1", "--diff-filter=A", "--format=%H", "--", file);
            // Where the history has been cut off, its first commit seems to bring all files.
            return came.filter(commit -> git("-C", root.toString(), "rev-parse", "--verify", "--quiet", commit + "^")
                            .isPresent())
                    .map(commit -> build(root, commit + "^"));
        } catch (UncheckedIOException noGit) {
            return Optional.empty();
        }
    }

    private static OlderVersion build(Path root, String commit) {
        try {
            Files.createDirectories(FOLDER);
            Path archive = FOLDER.resolve("sources.zip");
            String unused = git(
                            "-C", root.toString(), "archive", "--format=zip", "-o", archive.toString(), commit, MAIN)
                    .orElseThrow(() -> new IllegalStateException("git archive gives nothing for " + commit));
            unpack(archive);
            Path classes = FOLDER.resolve(MAIN + "/resources");
            compile(FOLDER.resolve(MAIN + "/java"), classes);
            return new OlderVersion(Stream.concat(Stream.of(classes.toString()), others())
                    .collect(Collectors.joining(File.pathSeparator)));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static void unpack(Path archive) throws IOException {
        try (InputStream file = Files.newInputStream(archive);
                ZipInputStream zip = new ZipInputStream(file)) {
            for (ZipEntry entry = zip.getNextEntry(); entry != null; entry = zip.getNextEntry()) {
                Path to = FOLDER.resolve(entry.getName());
                if (entry.isDirectory()) {
                    Files.createDirectories(to);
                } else {
                    Files.createDirectories(to.getParent());
                    Files.write(to, zip.readAllBytes());
                }
            }
        }
    }

    private static void compile(Path sources, Path classes) throws IOException {
        JavaCompiler compiler = ToolProvider.getSystemJavaCompiler();
        List<Path> files;
        try (Stream<Path> all = Files.walk(sources)) {
            files = all.filter(file -> file.toString().endsWith(".java")).toList();
        }
        // The APIs of servers that this process has not.
        List<String> path = new ArrayList<>(others().toList());
        try (Stream<Path> jars = Files.list(Path.of(System.getProperty("container.lib"), "compile"))) {
            jars.map(Path::toString).forEach(path::add);
        }
        try (StandardJavaFileManager manager = compiler.getStandardFileManager(null, null, StandardCharsets.UTF_8)) {
            Iterable<? extends JavaFileObject> units = manager.getJavaFileObjectsFromPaths(files);
            List<String> options = List.of(
                    "-proc:none",
                    "-nowarn",
                    "-parameters",
                    "-d",
                    classes.toString(),
                    "-cp",
                    String.join(File.pathSeparator, path));
            if (!compiler.getTask(null, manager, null, options, null, units).call()) {
                throw new IllegalStateException("the older version does not compile");
            }
        }
    }

    /** The class path of this process without the product of today. */
    private static Stream<String> others() {
        try {
            Path product = Path.of(DistributedFallback.class
                    .getProtectionDomain()
                    .getCodeSource()
                    .getLocation()
                    .toURI());
            return Stream.of(System.getProperty("java.class.path").split(File.pathSeparator, -1))
                    .filter(entry -> !Path.of(entry).toAbsolutePath().equals(product.toAbsolutePath()));
        } catch (URISyntaxException e) {
            throw new IllegalStateException(e);
        }
    }

    /** What it said; empty if it failed. */
    private static Optional<String> git(String... arguments) {
        try {
            Process git = new ProcessBuilder(Stream.concat(Stream.of("git"), Stream.of(arguments))
                            .toList())
                    .redirectError(ProcessBuilder.Redirect.DISCARD)
                    .start();
            String said = new String(git.getInputStream().readAllBytes(), StandardCharsets.UTF_8).strip();
            boolean isLog = List.of(arguments).contains("log");
            return git.waitFor() == 0 && !(isLog && said.isEmpty()) ? Optional.of(said) : Optional.empty();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return Optional.empty();
        }
    }
}
