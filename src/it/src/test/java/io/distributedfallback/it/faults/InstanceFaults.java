package io.distributedfallback.it.faults;

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

    private InstanceFaults() {}

    static List<Fault> all() {
        return List.of(NONE, KILLED, FROZEN);
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
