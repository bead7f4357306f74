package io.distributedfallback.it.faults;

import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.Random;

/** What happens to a pooler between the instances and their database. */
final class PoolerFaults {

    static final Fault KILLED =
            Fault.of("the pooler is killed and started again", PoolerFaults::kill, Effect.STORE_AWAY);

    static final Fault PAUSED = Fault.of("the pooler is told to pause", PoolerFaults::pause, Effect.STORE_AWAY);

    static final Fault CUT = Fault.of(
            "the pooler's connections to the database are cut again and again", PoolerFaults::cut, Effect.STORE_AWAY);

    static final Fault RESTARTED =
            Fault.of("the database behind the pooler is restarted", PoolerFaults::restart, Effect.STORE_AWAY);

    private static final long BETWEEN_CUTS_MILLIS = 300;
    private static final String TERMINATE = """
            SELECT pg_terminate_backend(pid) FROM pg_stat_activity
             WHERE backend_type = 'client backend' AND pid <> pg_backend_pid()""";

    private PoolerFaults() {}

    private static void kill(World world, Duration length, Random random) {
        world.database(BouncedPostgres.class).bouncer().kill();
        try {
            Round.pass(length.toMillis());
        } finally {
            world.database(BouncedPostgres.class).bouncer().start();
        }
    }

    private static void pause(World world, Duration length, Random random) {
        world.database(BouncedPostgres.class).bouncer().pause();
        try {
            Round.pass(length.toMillis());
        } finally {
            world.database(BouncedPostgres.class).bouncer().resume();
        }
    }

    private static void cut(World world, Duration length, Random random) throws SQLException {
        long end = System.nanoTime() + length.toNanos();
        try (Connection connection = world.database().connect();
                Statement statement = connection.createStatement()) {
            while (System.nanoTime() < end) {
                statement.execute(TERMINATE);
                Round.pass(random.nextLong(2 * BETWEEN_CUTS_MILLIS));
            }
        }
    }

    private static void restart(World world, Duration length, Random random) {
        world.database(BouncedPostgres.class).postgres().stop();
        try {
            Round.pass(length.toMillis());
        } finally {
            world.database(BouncedPostgres.class).postgres().start();
        }
    }
}
