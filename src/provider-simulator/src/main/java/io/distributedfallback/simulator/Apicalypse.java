package io.distributedfallback.simulator;

import java.util.Arrays;
import java.util.LinkedHashSet;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * A query in IGDB's language: {@code search "moon"; fields name,genres.name; limit 10;}. Knows the clauses that a
 * search box and a probe need.
 *
 * @param search the words looked for, empty for all
 * @param id the one item wanted, from {@code where id = 7}
 * @param fields what is to be told of each item beside its id
 * @param limit how many items at most
 */
record Apicalypse(String search, Optional<Integer> id, Set<String> fields, int limit) {

    private static final Pattern CLAUSE = Pattern.compile("\\s*(\\w+)\\s+(\"(?:[^\"\\\\]|\\\\.)*\"|[^\";]+?)\\s*;");
    private static final Pattern BY_ID = Pattern.compile("id\\s*=\\s*\\(?\\s*(\\d{1,9})\\s*\\)?");
    private static final int DEFAULT_LIMIT = 10;
    private static final int MOST = 500;

    /** A query that cannot be read. */
    static final class SyntaxError extends Exception {

        private static final long serialVersionUID = 1L;

        SyntaxError(String rest) {
            super("cannot read '" + rest + "': a clause is a word, a value and a semicolon");
        }
    }

    static Apicalypse parse(String text) throws SyntaxError {
        Apicalypse query = new Apicalypse("", Optional.empty(), Set.of(), DEFAULT_LIMIT);
        Matcher clause = CLAUSE.matcher(text);
        int read = 0;
        while (clause.find(read) && clause.start() == read) {
            query = query.and(clause.group(1), clause.group(2));
            read = clause.end();
        }
        String rest = text.substring(read).strip();
        if (!rest.isEmpty()) {
            throw new SyntaxError(rest);
        }
        return query;
    }

    private Apicalypse and(String word, String value) throws SyntaxError {
        return switch (word) {
            case "search" -> new Apicalypse(unquoted(value), id, fields, limit);
            case "fields" -> new Apicalypse(search, id, names(value), limit);
            case "limit" -> new Apicalypse(search, id, fields, limit(value));
            case "where" -> new Apicalypse(search, Optional.of(idIn(value)), fields, limit);
            default -> throw new SyntaxError(word + " " + value);
        };
    }

    private static String unquoted(String value) throws SyntaxError {
        if (!value.startsWith("\"")) {
            throw new SyntaxError("search " + value);
        }
        return value.substring(1, value.length() - 1).replaceAll("\\\\(.)", "$1");
    }

    private static Set<String> names(String value) {
        return new LinkedHashSet<>(Arrays.asList(value.strip().split("\\s*,\\s*")));
    }

    private static int limit(String value) throws SyntaxError {
        return Question.wholeNumber(value)
                .filter(number -> number > 0 && number <= MOST)
                .orElseThrow(() -> new SyntaxError("limit " + value));
    }

    private static int idIn(String value) throws SyntaxError {
        Matcher matcher = BY_ID.matcher(value);
        if (!matcher.matches()) {
            throw new SyntaxError("where " + value);
        }
        return Integer.parseInt(matcher.group(1));
    }
}
