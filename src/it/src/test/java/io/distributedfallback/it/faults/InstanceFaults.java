package io.distributedfallback.it.faults;

import io.distributedfallback.it.harness.Cable;
import io.distributedfallback.it.harness.Eventually;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Random;

/** What happens to instances. */
final class InstanceFaults {

    static final Fault NONE = Fault.of("nothing breaks", (world, length, random) -> Round.pass(length.toMillis()));

    static final Fault KILLED = Fault.of("an instance is killed", InstanceFaults::kill, Effect.INSTANCE_DIES);

    static final Fault FROZEN = Fault.of(
            "an instance stands still, longer than its lease", InstanceFaults::freeze, Effect.INSTANCE_STANDS_STILL);

    /** Long before it would have asked again: what it was alone with is handed over at its end, or never. */
    static final Fault ENDS_ALONE = Fault.of(
            "an instance that has lost the database ends in order when that is there again",
            InstanceFaults::endAlone,
            Effect.STORE_AWAY_FOR_SOME);

    private static final Duration NOTICED = Duration.ofSeconds(20);

    private InstanceFaults() {}

    static List<Fault> all() {
        return List.of(NONE, KILLED, FROZEN, ENDS_ALONE);
    }

    private static void endAlone(World world, Duration length, Random random) {
        int place = random.nextInt(world.size());
        Instance ending = world.instance(place);
        Cable cable = world.database(CabledPostgres.class).cables().get(place);
        cable.cut();
        try {
            Eventually.until("it has lost the database", NOTICED, () -> !ending.hasDatabase());
            World.empty(ending);
        } finally {
            cable.mend();
        }
        ending.close();
        try {
            Round.pass(length.toMillis());
        } finally {
            Instance unused = world.replace(place, Map.of(), Map.of());
        }
    }

    private static void kill(World world, Duration length, Random random) {
        int place = random.nextInt(world.size());
        world.instance(place).kill();
        try {
            Round.pass(length.toMillis());
        } finally {
            Instance unused = world.replace(place, Map.of(), Map.of());
        }
    }

    private static void freeze(World world, Duration length, Random random) {
        Instance frozen = world.instance(random.nextInt(world.size()));
        frozen.freeze();
        try {
            Round.pass(length.toMillis());
        } finally {
            frozen.thaw();
        }
    }
}
