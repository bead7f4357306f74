package io.distributedfallback.store;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.Objects;

/** The versioned files, run as psql would run them. */
final class Definitions {

    private final TestPostgres postgres;

    Definitions(TestPostgres postgres) {
        this.postgres = postgres;
    }

    void runAll() {
        for (int version = 1; version <= Schema.DEFINITIONS.size(); version++) {
            run(version);
        }
    }

    void run(int version) {
        String name = Schema.DEFINITIONS.get(version - 1);
        try (InputStream file = Objects.requireNonNull(JpaBreakerStore.class.getResourceAsStream(name))) {
            postgres.execute(new String(file.readAllBytes(), StandardCharsets.UTF_8));
        } catch (IOException unreadable) {
            throw new UncheckedIOException(unreadable);
        }
    }
}
