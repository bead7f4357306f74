package io.distributedfallback.store;

import io.distributedfallback.core.SchemaMode;
import jakarta.persistence.EntityManager;
import jakarta.persistence.Query;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.function.BiFunction;
import java.util.function.UnaryOperator;
import java.util.stream.Collectors;

/** Brings the tables in order, or finds out that they are not, as {@link SchemaMode} says. */
final class Schema {

    private static final String DEFINITION = "postgresql/V1__distributed_breaker.sql";
    private static final int TABLES = 2;

    private final SchemaMode mode;

    Schema(SchemaMode mode) {
        this.mode = mode;
    }

    /** Runs a piece of work in a transaction of its own. The work is given how to limit a query. */
    interface Transactions {
        void run(BiFunction<EntityManager, UnaryOperator<Query>, Boolean> work);
    }

    void bringInOrder(Transactions transactions) {
        if (mode == SchemaMode.CREATE) {
            transactions.run((entities, limit) -> {
                if (tablesFound(entities, limit) < TABLES) {
                    limit.apply(entities.createNativeQuery(PostgresSql.LOCK_SCHEMA))
                            .getSingleResult();
                    definition()
                            .forEach(statement -> limit.apply(entities.createNativeQuery(statement))
                                    .executeUpdate());
                }
                return true;
            });
        }
        if (mode != SchemaMode.NONE) {
            transactions.run((entities, limit) -> {
                validate(entities, limit, "SELECT b FROM StoredBreaker b WHERE b.name IS NULL");
                validate(entities, limit, "SELECT t FROM StoredTransition t WHERE t.id IS NULL");
                return true;
            });
        }
    }

    private static int tablesFound(EntityManager entities, UnaryOperator<Query> limit) {
        Query query = limit.apply(entities.createNativeQuery(PostgresSql.TABLES_FOUND));
        return ((Number) query.getSingleResult()).intValue();
    }

    /** Finds no row, but PostgreSQL looks for every column of the entity before it knows that. */
    private static void validate(EntityManager entities, UnaryOperator<Query> limit, String question) {
        limit.apply(entities.createQuery(question)).getResultList();
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
