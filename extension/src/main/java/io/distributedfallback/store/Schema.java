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

/** Brings the tables in order, or finds out that they are not, as {@link SchemaMode} says. */
final class Schema {

    static final String DEFINITION = "postgresql/V1__distributed_breaker.sql";

    private static final int TABLES = 2;

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

    /** Touches nothing if the tables are there: then it needs no right to create, nor a database that may be written. */
    private void create() {
        transactions.run(entities -> {
            if (tablesFound(entities) < TABLES) {
                transactions
                        .limit(entities.createNativeQuery(PostgresSql.LOCK_SCHEMA))
                        .getSingleResult();
                definition()
                        .forEach(statement -> transactions
                                .limit(entities.createNativeQuery(statement))
                                .executeUpdate());
            }
            return null;
        });
    }

    private int tablesFound(EntityManager entities) {
        Object count = transactions
                .limit(entities.createNativeQuery(PostgresSql.TABLES_FOUND))
                .getSingleResult();
        return ((Number) count).intValue();
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

    /** The statements of the versioned file, which has no semicolon but at their ends, and comments on lines of their own. */
    private static List<String> definition() {
        try (InputStream file = Objects.requireNonNull(Schema.class.getResourceAsStream(DEFINITION), DEFINITION)) {
            String text = new String(file.readAllBytes(), StandardCharsets.UTF_8);
            String statements =
                    text.lines().filter(line -> !line.startsWith("--")).collect(Collectors.joining("\n"));
            return Arrays.stream(statements.split(";", -1))
                    .map(String::strip)
                    .filter(statement -> !statement.isEmpty())
                    .toList();
        } catch (IOException unreadable) {
            throw new UncheckedIOException(unreadable);
        }
    }
}
