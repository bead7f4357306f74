package io.distributedfallback.it.faults;

import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Random;

/** Deploys that roll while visitors come, and changes of the tables beneath them. */
final class RollingFaults {

    /** As the guide allows for a version to come: what is added has a default, and nothing goes. */
    static final Fault NEXT_TABLES = Fault.of(
            "the tables of a version to come are made while a transaction holds on to the old ones",
            RollingFaults::addTables,
            // Whoever reads waits behind whoever alters, who waits for the transaction.
            Effect.STORE_AWAY);

    private static final String OPENED =
            "SELECT opened_at FROM distributed_breaker WHERE name = 'catalogue'" + " AND state = 'OPEN'";

    private RollingFaults() {}

    static List<Fault> all() {
        return List.of(NEXT_TABLES);
    }

    /** Puts instances of another version in the places of those that are there, one after the other. */
    static Fault roll(String name, String classPath, int... places) {
        return Fault.of(name, (world, length, random) -> {
            world.startFrom(classPath);
            for (int place : places) {
                String before = opened(world);
                world.roll(place, Map.of());
                String after = opened(world);
                if (!before.isEmpty() && !after.isEmpty() && !before.equals(after)) {
                    throw new AssertionError("open since " + before + ", and now since " + after);
                }
            }
            Round.pass(length.toMillis());
        });
    }

    /** When the breaker that is open was opened; empty if it is not. */
    static String opened(World world) throws SQLException {
        return world.database().ask(OPENED).orElse("");
    }

    private static void addTables(World world, Duration length, Random random) throws Exception {
        try (Connection report = world.database().connect();
                Connection upgrade = world.database().connect();
                Statement reading = report.createStatement();
                Statement altering = upgrade.createStatement()) {
            report.setAutoCommit(false);
            reading.execute("SELECT count(*) FROM distributed_breaker, distributed_breaker_transition");
            Thread release = new Thread(() -> release(report, length), "report");
            release.start();
            try {
                upgrade.setNetworkTimeout(Runnable::run, 60_000);
                altering.execute("ALTER TABLE distributed_breaker ADD COLUMN of_the_next integer NOT NULL DEFAULT 7");
                altering.execute("ALTER TABLE distributed_breaker_transition ADD COLUMN of_the_next text");
                altering.execute("CREATE TABLE distributed_next (name text PRIMARY KEY)");
                Round.pass(length.toMillis() / 2);
            } finally {
                release.join();
                altering.execute("ALTER TABLE distributed_breaker DROP COLUMN IF EXISTS of_the_next");
                altering.execute("ALTER TABLE distributed_breaker_transition DROP COLUMN IF EXISTS of_the_next");
                altering.execute("DROP TABLE IF EXISTS distributed_next");
            }
        }
    }

    private static void release(Connection report, Duration length) {
        Round.pass(length.toMillis());
        try {
            report.rollback();
        } catch (SQLException e) {
            throw new IllegalStateException(e);
        }
    }
}
