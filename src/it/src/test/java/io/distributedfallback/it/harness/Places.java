package io.distributedfallback.it.harness;

import java.io.File;
import java.nio.file.Path;
import java.util.Objects;

/** Where the build has put what the tests need. */
public final class Places {

    private Places() {}

    /** The unpacked Open Liberty. */
    static Path libertyHome() {
        return place("liberty.home");
    }

    /** The folder of the servers. */
    static Path libertyUser() {
        return place("liberty.usr");
    }

    static Path jdbcDriver() {
        return place("container.lib").resolve("jdbc");
    }

    /** Where a database may keep its files. */
    static Path databases() {
        return place("liberty.usr").resolveSibling("postgres");
    }

    /** The jar under test. */
    public static File extensionJar() {
        return library("distributed-fallback-");
    }

    /** What an application adds that keeps results. */
    public static File caffeineJar() {
        return library("caffeine-");
    }

    private static File library(String prefix) {
        for (File jar : libraries()) {
            if (jar.getName().startsWith(prefix)) {
                return jar;
            }
        }
        throw new IllegalStateException("no jar " + prefix + "* is in " + place("container.lib"));
    }

    /** The jar under test, Hibernate with what it needs, and Caffeine. */
    public static File[] libraries() {
        return Objects.requireNonNull(
                place("container.lib").resolve("web").toFile().listFiles((folder, name) -> name.endsWith(".jar")),
                "the build copies the libraries in the phase pre-integration-test");
    }

    private static Path place(String property) {
        return Path.of(Objects.requireNonNull(
                System.getProperty(property), () -> "the build sets " + property + " for the integration tests"));
    }
}
