package io.distributedfallback.store;

import io.distributedfallback.core.SchemaMode;
import jakarta.persistence.EntityManager;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** Brings the tables in order, or finds out that they are not, as {@link SchemaMode} says. */
final class Schema {

    /** One for each version, in the order in which they are run; each can be run again. */
    static final List<String> DEFINITIONS = List.of(
            "postgresql/V1__distributed_breaker.sql",
            "postgresql/V2__active_breakers.sql",
            "postgresql/V3__commands_and_history.sql",
            "postgresql/V4__ramp_up.sql",
            "postgresql/V5__fallback_permits.sql",
            "postgresql/V6__call_queue.sql");

    private static final String QUOTE = "$$";

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

    /** Finds no row, but PostgreSQL looks for every column of the entity, and for the function, before it knows that. */
    private void validate() {
        transactions.run(entities -> {
            find(entities, "SELECT b FROM StoredBreaker b WHERE b.name IS NULL");
            find(entities, "SELECT t FROM StoredTransition t WHERE t.id IS NULL");
            transactions
                    .limit(entities.createNativeQuery(HistorySql.VALIDATE_COMMAND))
                    .getResultList();
            return null;
        });
    }

    private void find(EntityManager entities, String question) {
        transactions.limit(entities.createQuery(question)).getResultList();
    }

    /** Of a versioned file, whose comments are on lines of their own, and whose texts have no semicolon. */
    private static Stream<String> statements(String definition) {
        try (InputStream file = Objects.requireNonNull(Schema.class.getResourceAsStream(definition), definition)) {
            String text = new String(file.readAllBytes(), StandardCharsets.UTF_8);
            return split(text.lines()
                    .filter(line -> !line.stripLeading().startsWith("--"))
                    .collect(Collectors.joining("\n")));
        } catch (IOException unreadable) {
            throw new UncheckedIOException(unreadable);
        }
    }

    /** A semicolon ends a statement, but not in the body of a function, which stands between two quotes of dollars. */
    private static Stream<String> split(String text) {
        List<String> statements = new ArrayList<>();
        StringBuilder statement = new StringBuilder();
        boolean inBody = false;
        for (String part : text.split(Pattern.quote(QUOTE), -1)) {
            String[] pieces = inBody ? new String[] {part} : part.split(";", -1);
            for (int i = 0; i < pieces.length - 1; i++) {
                statements.add(statement.append(pieces[i]).toString());
                statement.setLength(0);
            }
            statement.append(pieces[pieces.length - 1]).append(QUOTE);
            inBody = !inBody;
        }
        statement.setLength(statement.length() - QUOTE.length());
        statements.add(statement.toString());
        return statements.stream().map(String::strip).filter(complete -> !complete.isEmpty());
    }
}
