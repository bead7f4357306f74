package io.distributedfallback.tck;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Stream;
import javax.xml.parsers.DocumentBuilderFactory;
import javax.xml.parsers.ParserConfigurationException;
import org.w3c.dom.Element;
import org.w3c.dom.Node;
import org.w3c.dom.NodeList;
import org.xml.sax.SAXException;

import static java.nio.file.StandardOpenOption.APPEND;
import static java.nio.file.StandardOpenOption.CREATE;

/** What one run of the TCK leaves behind, under the name of its server: logs, reports, the archives that got the jar. */
record TckRun(String name) {

    private static final String TCK = "org.eclipse.microprofile.fault.tolerance.tck.";

    static final TckRun WITH_EXTENSION = new TckRun("with");
    static final TckRun WITHOUT_EXTENSION = new TckRun("without");

    /** What became of a test. */
    enum Result {
        PASSED,
        SKIPPED,
        FAILED
    }

    /** The run that this JVM makes. */
    static TckRun current() {
        return isWithoutExtension() ? WITHOUT_EXTENSION : WITH_EXTENSION;
    }

    static boolean isWithoutExtension() {
        return Boolean.getBoolean("tck.without-extension");
    }

    String serverName() {
        return "tck-" + name;
    }

    Path server() {
        return Path.of(System.getProperty("liberty.usr"), "servers", serverName());
    }

    void recordArchive(String archive) throws IOException {
        Files.writeString(archives(), archive + "\n", CREATE, APPEND);
    }

    List<String> recordedArchives() throws IOException {
        return Files.exists(archives()) ? Files.readAllLines(archives()) : List.of();
    }

    private Path archives() {
        return server().resolve("archives-with-the-extension.txt");
    }

    /** The lines of the server's log, its debug lines included. */
    Stream<String> log() throws IOException {
        return Files.readAllLines(server().resolve("logs/trace.log")).stream();
    }

    /** Each test of the TCK by its class and name, and what became of it; our own, which run beside them, left out. */
    Map<String, Result> resultsOfTheTck() throws IOException {
        Map<String, Result> results = new TreeMap<>();
        try (Stream<Path> files = Files.list(reports())) {
            files.filter(file -> file.getFileName().toString().matches("TEST-TestSuite.*[.]xml"))
                    .forEach(report -> addResults(report, results));
        }
        results.keySet().removeIf(test -> !test.startsWith(TCK));
        return results;
    }

    private Path reports() {
        return Path.of(System.getProperty("tck.reports." + name));
    }

    private static void addResults(Path report, Map<String, Result> results) {
        try {
            NodeList cases = DocumentBuilderFactory.newDefaultInstance()
                    .newDocumentBuilder()
                    .parse(report.toFile())
                    .getElementsByTagName("testcase");
            for (int i = 0; i < cases.getLength(); i++) {
                Element test = (Element) cases.item(i);
                results.merge(
                        test.getAttribute("classname").replaceFirst("[(].*", "") + "." + test.getAttribute("name"),
                        resultOf(test),
                        (one, other) -> one.compareTo(other) > 0 ? one : other);
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } catch (ParserConfigurationException | SAXException e) {
            throw new IllegalStateException("cannot read " + report, e);
        }
    }

    private static Result resultOf(Element test) {
        Result result = Result.PASSED;
        for (Node child = test.getFirstChild(); child != null; child = child.getNextSibling()) {
            switch (child.getNodeName()) {
                case "failure", "error" -> {
                    return Result.FAILED;
                }
                case "skipped" -> result = Result.SKIPPED;
                default -> {}
            }
        }
        return result;
    }
}
