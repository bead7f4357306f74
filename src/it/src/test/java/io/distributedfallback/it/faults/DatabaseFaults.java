package io.distributedfallback.it.faults;

import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.locks.LockSupport;

/** What happens to the server of the database, and to the sessions in it. */
final class DatabaseFaults {

    static final Fault STOPPED =
            Fault.of("the database is stopped", (world, length, random) -> stop(world, length), Effect.STORE_AWAY);

    static final Fault RESTARTED = Fault.of(
                    "the database is restarted",
                    (world, length, random) -> stop(world, Duration.ZERO),
                    Effect.STORE_AWAY)
            .maybe();

    /** What had no answer yet is in doubt, and its number may go to another transaction before anybody can ask. */
    static final Fault KILLED = Fault.of(
            "the database is killed when it has just committed",
            DatabaseFaults::kill,
            Effect.STORE_AWAY,
            Effect.WRITE_IN_DOUBT);

    static final Fault FROZEN = Fault.of("the database hangs", DatabaseFaults::freeze, Effect.STORE_AWAY);

    static final Fault CONNECTIONS_TAKEN =
            Fault.of("the database has no connection left", DatabaseFaults::takeConnections, Effect.STORE_AWAY);

    static final Fault SESSIONS_ENDED = Fault.of(
                    "all sessions are ended once", DatabaseFaults::endSessions, Effect.STORE_AWAY)
            .maybe();

    static final Fault SESSIONS_ENDED_AGAIN =
            Fault.of("all sessions are ended again and again", DatabaseFaults::endSessionsAgain, Effect.STORE_AWAY);

    static final Fault READ_ONLY = Fault.of(
            "the database is read-only",
            (world, length, random) -> set(world, length, "default_transaction_read_only", "on"),
            Effect.STORE_AWAY);

    static final Fault STATEMENTS_CUT_OFF = Fault.of(
            "the database cuts off statements after a millisecond",
            (world, length, random) -> set(world, length, "statement_timeout", "1ms"),
            Effect.STORE_AWAY);

    static final Fault SERIALIZABLE = Fault.of(
            "transactions have become serializable",
            (world, length, random) -> set(world, length, "default_transaction_isolation", "serializable"),
            Effect.STORE_AWAY);

    private static final String END_ALL = """
            SELECT count(pg_terminate_backend(pid)) FROM pg_stat_activity
             WHERE backend_type = 'client backend' AND usename = '%s'""".formatted(CabledPostgres.ROLE);

    private static final String LAST_CHANGE = "SELECT coalesce(max(id), 0) FROM distributed_breaker_transition";

    private static final Duration TAKING = Duration.ofSeconds(10);
    private static final long PAUSE_MILLIS = 200;
    private static final long GLANCE_MILLIS = 5;

    private DatabaseFaults() {}

    static List<Fault> all() {
        return List.of(
                STOPPED,
                RESTARTED,
                KILLED,
                FROZEN,
                CONNECTIONS_TAKEN,
                SESSIONS_ENDED,
                SESSIONS_ENDED_AGAIN,
                READ_ONLY,
                STATEMENTS_CUT_OFF,
                SERIALIZABLE);
    }

    private static void stop(World world, Duration length) {
        world.database(CabledPostgres.class).postgres().stop();
        try {
            Round.pass(length.toMillis());
        } finally {
            world.database(CabledPostgres.class).postgres().start();
        }
    }

    /** At the moment in which something has been committed, if anything is: that must last. */
    private static void kill(World world, Duration length, Random random) throws SQLException {
        long committed;
        try (Connection connection = world.database(CabledPostgres.class).connect()) {
            long atFirst = lastChange(connection);
            long end = System.nanoTime() + length.toNanos();
            committed = atFirst;
            while (committed == atFirst && System.nanoTime() < end) {
                Round.pass(GLANCE_MILLIS);
                committed = lastChange(connection);
            }
        }
        world.database(CabledPostgres.class).postgres().kill();
        try {
            Round.pass(length.toMillis());
        } finally {
            world.database(CabledPostgres.class).postgres().start();
        }
        try (Connection connection = world.database(CabledPostgres.class).connect()) {
            if (lastChange(connection) < committed) {
                throw new IllegalStateException("the database has forgotten a change that it had committed");
            }
        }
    }

    private static long lastChange(Connection connection) throws SQLException {
        try (Statement statement = connection.createStatement();
                ResultSet rows = statement.executeQuery(LAST_CHANGE)) {
            rows.next();
            return rows.getLong(1);
        }
    }

    private static void freeze(World world, Duration length, Random random) {
        world.database(CabledPostgres.class).postgres().freeze();
        try {
            Round.pass(length.toMillis());
        } finally {
            world.database(CabledPostgres.class).postgres().thaw();
        }
    }

    /** Somebody else has all of them: also those that are kept for administrators. */
    private static void takeConnections(World world, Duration length, Random random) throws SQLException {
        List<Connection> taken = new ArrayList<>();
        try (Connection first = world.database(CabledPostgres.class).connect()) {
            long end = System.nanoTime() + TAKING.toNanos();
            long left = Long.MAX_VALUE;
            while (left > 0 && System.nanoTime() < end) {
                left = endAll(first);
                takeWhatIsFree(world, taken);
            }
            Round.pass(length.toMillis());
        } finally {
            for (Connection connection : taken) {
                connection.close();
            }
        }
    }

    private static void takeWhatIsFree(World world, List<Connection> taken) {
        try {
            while (true) {
                taken.add(world.database(CabledPostgres.class).connect());
            }
        } catch (SQLException full) {
            // That is what is wanted. A session that has been ended may still be there for a moment.
            LockSupport.parkNanos(Duration.ofMillis(20).toNanos());
        }
    }

    private static void endSessions(World world, Duration length, Random random) throws SQLException {
        try (Connection connection = world.database(CabledPostgres.class).connect()) {
            long unused = endAll(connection);
        }
    }

    private static void endSessionsAgain(World world, Duration length, Random random) throws SQLException {
        long end = System.nanoTime() + length.toNanos();
        try (Connection connection = world.database(CabledPostgres.class).connect()) {
            while (System.nanoTime() < end) {
                long unused = endAll(connection);
                Round.pass(PAUSE_MILLIS);
            }
        }
    }

    /** How many sessions of instances there were. */
    private static long endAll(Connection connection) throws SQLException {
        try (Statement statement = connection.createStatement();
                ResultSet rows = statement.executeQuery(END_ALL)) {
            rows.next();
            return rows.getLong(1);
        }
    }

    /** For all sessions, those that are there too. */
    private static void set(World world, Duration length, String parameter, String value) throws SQLException {
        try {
            world.database(CabledPostgres.class)
                    .run("ALTER SYSTEM SET " + parameter + " = '" + value + "'", "SELECT pg_reload_conf()");
            Round.pass(length.toMillis());
        } finally {
            world.database(CabledPostgres.class).run("ALTER SYSTEM RESET " + parameter, "SELECT pg_reload_conf()");
        }
    }
}
