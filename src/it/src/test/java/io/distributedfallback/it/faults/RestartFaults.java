package io.distributedfallback.it.faults;

import io.distributedfallback.it.harness.Cable;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Random;

/** Instances that come anew. */
final class RestartFaults {

    static final Fault ROLLING =
            Fault.of("all instances are replaced, one by one", RestartFaults::roll, Effect.INSTANCE_DIES);

    static final Fault ALONE = Fault.of(
            "an instance starts while the database is away",
            RestartFaults::startAlone,
            Effect.INSTANCE_DIES,
            Effect.STORE_AWAY);

    private RestartFaults() {}

    static List<Fault> all() {
        return List.of(ROLLING, ALONE);
    }

    /** However long that takes. */
    static void roll(World world, Duration length, Random random) {
        for (int place = 0; place < world.size(); place++) {
            world.instance(place).kill();
            world.replaceTheDead(place, Map.of());
        }
    }

    private static void startAlone(World world, Duration length, Random random) {
        if (!(world.database() instanceof CabledPostgres postgres)) {
            throw new IllegalStateException("there is no cable to cut: " + world.database());
        }
        int place = random.nextInt(world.size());
        Cable cable = postgres.cables().get(place);
        world.instance(place).kill();
        cable.cut();
        try {
            world.replace(place, Map.of(), Map.of());
            Round.pass(length.toMillis());
        } finally {
            cable.mend();
        }
    }
}
