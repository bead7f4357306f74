package io.distributedfallback.tck;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

import static java.nio.file.StandardOpenOption.APPEND;
import static java.nio.file.StandardOpenOption.CREATE;

/** What one run of the TCK leaves behind: the folder of its server, and the list of the archives that got the jar. */
record TckRun(Path server) {

    /** The run that this JVM makes. */
    static TckRun current() {
        return of(System.getProperty("tck.server"));
    }

    static TckRun of(String name) {
        return new TckRun(Path.of(System.getProperty("liberty.usr"), "servers", name));
    }

    void recordArchive(String testClass, String archive) throws IOException {
        Files.writeString(archives(), testClass + " " + archive + "\n", CREATE, APPEND);
    }

    private Path archives() {
        return server.resolve("archives-with-the-extension.txt");
    }

    List<String> recordedArchives() throws IOException {
        return Files.readAllLines(archives());
    }
}
