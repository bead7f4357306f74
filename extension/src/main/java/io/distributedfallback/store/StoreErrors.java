package io.distributedfallback.store;

import io.distributedfallback.core.Change;
import io.distributedfallback.core.FailureText;
import io.distributedfallback.core.Problem;
import io.distributedfallback.core.ProblemCode;
import io.distributedfallback.core.StoreException;
import io.distributedfallback.core.StoreInDoubtException;
import io.distributedfallback.core.StoreOpeningException;
import jakarta.persistence.LockTimeoutException;
import jakarta.persistence.QueryTimeoutException;
import java.sql.SQLException;
import java.sql.SQLNonTransientConnectionException;
import java.sql.SQLTimeoutException;
import java.sql.SQLTransientConnectionException;
import java.util.Objects;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.stream.Stream;

/** What went wrong, by the SQLSTATE, in the words of the catalogue: what, where, what the database said, and the remedy. */
final class StoreErrors {

    /** Undefined table, column, function, schema; types, keys and constraints that are not ours. */
    private static final Set<String> MISFIT = Set.of(
            "42P01", "42703", "42704", "42883", "3F000", "42804", "42P10", "42809", "22P02", "23502", "23514", "428C9");

    /** Prepared statements: one that is not there, and one that is already. */
    private static final Set<String> PREPARED_ELSEWHERE = Set.of("26000", "42P05");

    /** Causes are followed so far; longer chains are cycles. */
    private static final int DEEPEST_CAUSE = 32;

    private static final String REMEDY_FOR_POOLERS =
            "A pooler gives each transaction another connection: set prepareThreshold=0 in the URL of the data source, or let"
                    + " PgBouncer 1.21 or later track prepared statements";

    private final String dataSource;

    StoreErrors(String dataSource) {
        this.dataSource = dataSource;
    }

    StoreException of(RuntimeException failure) {
        return new StoreException(problemOf(failure), failure);
    }

    /**
     * Of a commit. If the database itself refused it, by an error that leaves the connection as it is, nothing was written;
     * after any other failure nobody can know.
     *
     * @param written what the statement had answered
     * @param transaction the number of the transaction that it ran in
     */
    StoreException ofCommit(RuntimeException failure, Change written, OptionalLong transaction) {
        boolean refused = sqlIn(failure)
                .map(sql -> sql.getSQLState() != null && !tellsOfConnection(sql.getSQLState()))
                .orElse(false);
        return refused || transaction.isEmpty()
                ? of(failure)
                : new StoreInDoubtException(problemOf(failure), failure, written, transaction.getAsLong());
    }

    StoreException of(SQLException failure) {
        return new StoreException(problemOf(failure), failure);
    }

    /** Notifications do not arrive, and will not arrive soon. */
    StoreException cannotListen(String why, String remedy) {
        return new StoreException(
                new Problem(
                        ProblemCode.DFB313,
                        "data source " + dataSource,
                        why,
                        remedy + "; until then changes of other" + " instances are found with the next read"),
                null);
    }

    private Problem problemOf(RuntimeException failure) {
        return sqlIn(failure).map(this::problemOf).orElseGet(() -> {
            boolean timedOut = causes(failure)
                    .anyMatch(cause -> cause instanceof QueryTimeoutException || cause instanceof LockTimeoutException);
            return problem(timedOut ? ProblemCode.DFB305 : ProblemCode.DFB306, FailureText.of(failure));
        });
    }

    private Problem problemOf(SQLException sql) {
        ProblemCode code = codeOf(sql);
        boolean preparedElsewhere = sql.getSQLState() != null && PREPARED_ELSEWHERE.contains(sql.getSQLState());
        return new Problem(
                code, "data source " + dataSource, said(sql), preparedElsewhere ? REMEDY_FOR_POOLERS : remedy(code));
    }

    private static Optional<SQLException> sqlIn(Throwable failure) {
        return causes(failure)
                .filter(SQLException.class::isInstance)
                .map(SQLException.class::cast)
                .findFirst();
    }

    private static Stream<Throwable> causes(Throwable failure) {
        return Stream.iterate(failure, Objects::nonNull, Throwable::getCause).limit(DEEPEST_CAUSE);
    }

    StoreException noProvider(Throwable refusal) {
        return exception(ProblemCode.DFB307, refusal == null ? "" : FailureText.of(refusal), refusal);
    }

    StoreException stillOpening() {
        return new StoreOpeningException(problem(ProblemCode.DFB305, "another thread is still opening it"));
    }

    StoreException interrupted(InterruptedException interruption) {
        return exception(ProblemCode.DFB305, "interrupted while another thread was opening it", interruption);
    }

    StoreException closed() {
        return exception(ProblemCode.DFB302, "the store was closed with the application", null);
    }

    private static ProblemCode codeOf(SQLException sql) {
        if (sql instanceof LazyDataSource.NotFound) {
            return ProblemCode.DFB301;
        }
        String state = sql.getSQLState() == null ? "" : sql.getSQLState();
        if (state.equals("57014") || state.equals("55P03") || sql instanceof SQLTimeoutException) {
            return ProblemCode.DFB305;
        }
        if (tellsOfConnection(state) || state.equals("53300") || state.equals("3D000")) {
            return ProblemCode.DFB302;
        }
        if (state.equals("42501") || state.equals("25006") || state.startsWith("28")) {
            return ProblemCode.DFB304;
        }
        if (MISFIT.contains(state)) {
            return ProblemCode.DFB303;
        }
        // Pools say so when no connection comes free in time, some without an SQLSTATE.
        return sql instanceof SQLTransientConnectionException || sql instanceof SQLNonTransientConnectionException
                ? ProblemCode.DFB302
                : ProblemCode.DFB306;
    }

    private static boolean tellsOfConnection(String state) {
        return state.startsWith("08") || state.startsWith("57P");
    }

    private static String said(SQLException sql) {
        String text = FailureText.clean(String.valueOf(sql.getMessage()));
        return sql.getSQLState() == null ? text : "SQLSTATE " + sql.getSQLState() + ", " + text;
    }

    private StoreException exception(ProblemCode code, String said, Throwable cause) {
        return new StoreException(problem(code, said), cause);
    }

    private Problem problem(ProblemCode code, String said) {
        return new Problem(code, "data source " + dataSource, said, remedy(code));
    }

    private static String remedy(ProblemCode code) {
        return switch (code) {
            case DFB301 ->
                "Define it in the server with its driver, or name another in distributed-fallback.datasource; of one that"
                        + " is defined the server's own log says why it cannot be made";
            case DFB302 ->
                "Check that the database runs, its address, and the size of the pool; until it answers, each"
                        + " instance breaks on what it sees itself";
            case DFB303 ->
                "Run, one after the other, V1__distributed_breaker.sql, V2__active_breakers.sql,"
                        + " V3__commands_and_history.sql, V4__ramp_up.sql, V5__fallback_permits.sql and V6__call_queue.sql, which are in io/distributedfallback/store/postgresql of the jar and"
                        + " can be run again, or set distributed-fallback.schema=create; if they are there, give the role USAGE on"
                        + " their schema, and have it in its search_path";
            case DFB304 ->
                "If the password is refused, correct it. Else GRANT SELECT, INSERT, UPDATE, DELETE ON distributed_breaker,"
                        + " SELECT, INSERT, DELETE ON distributed_breaker_transition, SELECT, INSERT, UPDATE ON"
                        + " distributed_fallback_permit, and for @QueueWhenOpen what the head of V6__call_queue.sql says, and EXECUTE on distributed_breaker_command"
                        + " where not everybody may, to the role of the data source, on a database that"
                        + " may be written; distributed-fallback.schema=create also needs CREATE on the schema, and to upgrade"
                        + " tables, to own them";
            case DFB305 ->
                "Look for a lock that somebody holds on distributed_breaker, and at the load of the database";
            case DFB307 ->
                "Add the server's persistence feature, or Hibernate or EclipseLink to the application, or set"
                        + " distributed-fallback.store=memory";
            default -> "The cause says more";
        };
    }
}
