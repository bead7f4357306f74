package io.distributedfallback.it.faults;

import io.distributedfallback.it.light.Names;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.function.Consumer;

/** What happens to a primary and its standby. */
final class FailoverFaults {

    static final Fault PRIMARY_KILLED = Fault.of(
            "the primary is killed and the standby promoted",
            FailoverFaults::failOver,
            Effect.STORE_AWAY,
            Effect.WRITE_IN_DOUBT);

    /** Commits wait for its word. */
    static final Fault STANDBY_FROZEN = Fault.of(
            "the synchronous standby stands still",
            FailoverFaults::freezeStandby,
            Effect.STORE_AWAY,
            Effect.WRITE_IN_DOUBT);

    private FailoverFaults() {}

    static List<Fault> all() {
        return List.of(PRIMARY_KILLED, STANDBY_FROZEN);
    }

    /** What it counts it can tell nobody, and takes along when it ends. */
    static Fault misdirected(Consumer<Instance> told) {
        return Fault.of(
                "an instance is pointed at the standby",
                (world, length, random) -> misdirect(world, length, random, told),
                Effect.INSTANCE_DIES);
    }

    private static void failOver(World world, Duration length, Random random) throws Exception {
        ReplicatedPostgres database = world.database(ReplicatedPostgres.class);
        database.killPrimary();
        // Whoever promotes finds out first, within a third of the time.
        Round.pass(random.nextLong(length.toMillis() / 3));
        database.promote();
        Round.pass(length.toMillis() / 2);
        database.replaceStandby();
    }

    private static void misdirect(World world, Duration length, Random random, Consumer<Instance> told) {
        ReplicatedPostgres database = world.database(ReplicatedPostgres.class);
        int place = random.nextInt(world.size());
        Instance misdirected = world.roll(place, Map.of(Names.DATABASE_URL, database.urlOfStandby()));
        told.accept(misdirected);
        try {
            Round.pass(length.toMillis());
        } finally {
            world.roll(place, Map.of());
        }
    }

    private static void freezeStandby(World world, Duration length, Random random) throws Exception {
        ReplicatedPostgres database = world.database(ReplicatedPostgres.class);
        PostgresServer standby = database.standby();
        standby.freeze();
        try {
            Round.pass(length.toMillis());
        } finally {
            standby.thaw();
        }
        database.awaitSynchronous();
    }
}
