package io.distributedfallback.core;

import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * That a database server cannot be reached, or says that it shuts down or starts.
 *
 * @param state the SQLSTATE
 * @param address the server's host and port, where the driver names them
 */
record SqlTrouble(String state, Optional<String> address) {

    private static final NamedMethod SQL_STATE = new NamedMethod("java.sql.SQLException", "getSQLState");

    /** A host with a letter or a dot in it, so that no time of day is taken for one, and a port. */
    private static final Pattern ADDRESS =
            Pattern.compile("(?<![\\w.-])(?=[\\d-]*[A-Za-z._])[\\w.-]+:\\d{2,5}(?![\\w:])");

    /** What a failure or its causes say; empty if that is nothing of the kind. */
    static Optional<SqlTrouble> in(Throwable thrown) {
        Optional<SqlTrouble> found = Optional.empty();
        Throwable seen = thrown;
        for (int depth = 0; seen != null && depth < Causes.DEEPEST; depth++) {
            String state = SQL_STATE.call(seen).map(String.class::cast).orElse("");
            if (state.startsWith("08") || state.startsWith("57P")) {
                SqlTrouble trouble = new SqlTrouble(state, addressIn(FailureText.of(seen)));
                if (trouble.address.isPresent()) {
                    return Optional.of(trouble);
                }
                found = found.or(() -> Optional.of(trouble));
            }
            seen = seen.getCause();
        }
        return found;
    }

    private static Optional<String> addressIn(String text) {
        Matcher found = ADDRESS.matcher(text);
        return found.find() ? Optional.of(found.group()) : Optional.empty();
    }

    /**
     * Whether both tell of the same server, as far as that can be known: it has the same address, or both say that it was
     * shut down or starts. A connection that is cut tells nothing of the kind.
     */
    boolean isTheSameAs(SqlTrouble other) {
        return (address.isPresent() && other.address.isPresent())
                ? address.equals(other.address)
                : state.startsWith("57P") && state.equals(other.state);
    }

    String describe() {
        return "SQLSTATE " + state + address.map(named -> " of " + named).orElse("");
    }
}
