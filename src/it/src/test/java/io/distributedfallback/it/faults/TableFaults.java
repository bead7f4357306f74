package io.distributedfallback.it.faults;

import io.distributedfallback.it.faults.app.Shop;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.List;
import java.util.Random;

/** What happens to the tables: locks, rights, triggers, and administrators who make a mistake. */
final class TableFaults {

    private static final String ROW = "INSERT INTO distributed_breaker (name, version, updated_at) VALUES ('"
            + Shop.CATALOGUE + "', 1, clock_timestamp()) ON CONFLICT DO NOTHING";
    private static final String LOCK_ROWS = "SELECT name FROM distributed_breaker FOR UPDATE";
    private static final String LOCK_TABLE = "LOCK TABLE distributed_breaker IN ACCESS EXCLUSIVE MODE";
    private static final String LOCK_HISTORY = "LOCK TABLE distributed_breaker_transition IN ACCESS EXCLUSIVE MODE";

    private static final List<String> SLOW_TRIGGER = List.of("""
            CREATE FUNCTION take_long() RETURNS trigger LANGUAGE plpgsql AS $$
            BEGIN
                PERFORM pg_sleep(1.3);
                RETURN NEW;
            END $$""", """
            CREATE TRIGGER take_long BEFORE INSERT OR UPDATE ON distributed_breaker
               FOR EACH ROW EXECUTE FUNCTION take_long()""");
    private static final List<String> NO_TRIGGER =
            List.of("DROP TRIGGER IF EXISTS take_long ON distributed_breaker", "DROP FUNCTION IF EXISTS take_long()");

    static final Fault ROWS_LOCKED = Fault.of(
            "somebody has locked the rows",
            (world, length, random) -> hold(world, length, List.of(ROW, LOCK_ROWS)),
            Effect.STORE_AWAY);

    static final Fault TABLE_LOCKED = Fault.of(
            "somebody has locked the table",
            (world, length, random) -> hold(world, length, List.of(LOCK_TABLE)),
            Effect.STORE_AWAY);

    /** Of two that collide one is sent home, and tries again. */
    static final Fault DEADLOCKS = Fault.of("writes end in deadlocks", TableFaults::collide, Effect.STORE_AWAY)
            .maybe();

    static final Fault WRITES_TAKE_LONG = Fault.of(
            "writes take longer than their time-out",
            (world, length, random) -> change(world, length, SLOW_TRIGGER, NO_TRIGGER),
            Effect.STORE_AWAY);

    static final Fault COLUMN_MISSING = Fault.of(
            "a column is missing",
            (world, length, random) -> change(
                    world,
                    length,
                    List.of("ALTER TABLE distributed_breaker RENAME consecutive_failures TO something_else"),
                    List.of("ALTER TABLE distributed_breaker RENAME something_else TO consecutive_failures")),
            Effect.STORE_AWAY);

    static final Fault RIGHTS_REVOKED = Fault.of(
            "the role may not write any more",
            (world, length, random) -> change(
                    world,
                    length,
                    List.of("REVOKE INSERT, UPDATE ON distributed_breaker FROM " + CabledPostgres.ROLE),
                    List.of("GRANT INSERT, UPDATE ON distributed_breaker TO " + CabledPostgres.ROLE)),
            Effect.STORE_AWAY);

    private static final long BEFORE_COLLISION_MILLIS = 200;

    private TableFaults() {}

    static List<Fault> all() {
        return List.of(
                ROWS_LOCKED,
                TABLE_LOCKED,
                DEADLOCKS,
                WRITES_TAKE_LONG,
                COLUMN_MISSING,
                RIGHTS_REVOKED,
                DroppedTable.MADE_BY_ADMINISTRATOR,
                DroppedTable.MADE_BY_INSTANCE,
                FullDisk.FAULT);
    }

    private static void hold(World world, Duration length, List<String> locks) throws SQLException {
        try (Connection connection = world.database(CabledPostgres.class).connect();
                Statement statement = connection.createStatement()) {
            connection.setAutoCommit(false);
            for (String lock : locks) {
                statement.execute(lock);
            }
            Round.pass(length.toMillis());
            connection.rollback();
        }
    }

    /** Takes the history first and then the rows; whoever changes the state of a breaker does it the other way round. */
    private static void collide(World world, Duration length, Random random) throws SQLException {
        CabledPostgres database = world.database(CabledPostgres.class);
        long end = System.nanoTime() + length.toNanos();
        try (Connection connection = database.connect();
                Statement statement = connection.createStatement()) {
            database.run("ALTER SYSTEM SET deadlock_timeout = '100ms'", "SELECT pg_reload_conf()");
            connection.setAutoCommit(false);
            while (System.nanoTime() < end) {
                statement.execute(LOCK_HISTORY);
                Round.pass(BEFORE_COLLISION_MILLIS);
                try {
                    statement.execute(LOCK_ROWS);
                } catch (SQLException lost) {
                    // One of the two is sent home.
                }
                connection.rollback();
                Round.pass(BEFORE_COLLISION_MILLIS);
            }
        } finally {
            database.run("ALTER SYSTEM RESET deadlock_timeout", "SELECT pg_reload_conf()");
        }
    }

    static void change(World world, Duration length, List<String> there, List<String> back) throws SQLException {
        CabledPostgres database = world.database(CabledPostgres.class);
        try {
            database.run(there.toArray(String[]::new));
            Round.pass(length.toMillis());
        } finally {
            database.run(back.toArray(String[]::new));
        }
    }
}
