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
        for (File jar : libraries()) {
            if (jar.getName().startsWith("distributed-fallback-")) {
                return jar;
            }
        }
        throw new IllegalStateException("the extension's jar is not in " + place("container.lib"));
    }

    /** The jar under test, and Hibernate with what it needs. */
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
