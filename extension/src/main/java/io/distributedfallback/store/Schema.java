package io.distributedfallback.store;

import io.distributedfallback.core.SchemaMode;
import jakarta.persistence.EntityManager;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** Brings the tables in order, or finds out that they are not, as {@link SchemaMode} says. */
final class Schema {

    /** One for each version, in the order in which they are run; each can be run again. */
    static final List<String> DEFINITIONS =
            List.of("postgresql/V1__distributed_breaker.sql", "postgresql/V2__active_breakers.sql");

    private final Transactions transactions;

    Schema(Transactions transactions) {
        this.transactions = transactions;
    }

    void bringInOrder(SchemaMode mode) {
        switch (mode) {
            case NONE -> {}
            case VALIDATE -> validate();
            case CREATE -> {
                create();
                validate();
            }
        }
    }

    /**
     * Touches nothing if the tables are there, in the version of today: then it needs no right to create, nor a database
     * that may be written. Else it looks again once it holds the lock, for another instance may have done it meanwhile.
     */
    private void create() {
        transactions.run(entities -> {
            if (versionFound(entities) < DEFINITIONS.size()) {
                transactions
                        .limit(entities.createNativeQuery(PostgresSql.LOCK_SCHEMA))
                        .getSingleResult();
                DEFINITIONS.stream()
                        .skip(versionFound(entities))
                        .flatMap(Schema::statements)
                        .forEach(statement -> transactions
                                .limit(entities.createNativeQuery(statement))
                                .executeUpdate());
            }
            return null;
        });
    }

    private int versionFound(EntityManager entities) {
        Object version = transactions
                .limit(entities.createNativeQuery(PostgresSql.SCHEMA_VERSION))
                .getSingleResult();
        return ((Number) version).intValue();
    }

    /** Finds no row, but PostgreSQL looks for every column of the entity before it knows that. */
    private void validate() {
        transactions.run(entities -> {
            find(entities, "SELECT b FROM StoredBreaker b WHERE b.name IS NULL");
            find(entities, "SELECT t FROM StoredTransition t WHERE t.id IS NULL");
            return null;
        });
    }

    private void find(EntityManager entities, String question) {
        transactions.limit(entities.createQuery(question)).getResultList();
    }

    /** Of a versioned file, which has no semicolon but at their ends, and comments on lines of their own. */
    private static Stream<String> statements(String definition) {
        try (InputStream file = Objects.requireNonNull(Schema.class.getResourceAsStream(definition), definition)) {
            String text = new String(file.readAllBytes(), StandardCharsets.UTF_8);
            String statements =
                    text.lines().filter(line -> !line.startsWith("--")).collect(Collectors.joining("\n"));
            return Arrays.stream(statements.split(";", -1))
                    .map(String::strip)
                    .filter(statement -> !statement.isEmpty());
        } catch (IOException unreadable) {
            throw new UncheckedIOException(unreadable);
        }
    }
}
