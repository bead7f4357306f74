package io.distributedfallback.it.faults;

import io.distributedfallback.it.harness.Cable;
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
            "an instance that was cut off ends in order as soon as the database is there again",
            InstanceFaults::endAlone,
            Effect.STORE_AWAY_FOR_SOME);

    private InstanceFaults() {}

    static List<Fault> all() {
        return List.of(NONE, KILLED, FROZEN, ENDS_ALONE);
    }

    private static void endAlone(World world, Duration length, Random random) {
        int place = random.nextInt(world.size());
        Cable cable = world.database(CabledPostgres.class).cables().get(place);
        cable.cut();
        try {
            Round.pass(length.toMillis());
            World.empty(world.instance(place));
        } finally {
            cable.mend();
        }
        Instance unused = world.replace(place, Map.of(), Map.of());
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
