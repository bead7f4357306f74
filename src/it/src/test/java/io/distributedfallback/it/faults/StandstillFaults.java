package io.distributedfallback.it.faults;

import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.stream.IntStream;

/** Processes that do not run for a while. */
final class StandstillFaults {

    static final Fault HOLDER = Fault.of(
            "the holder of the lease stands still, longer than it lasts",
            StandstillFaults::freezeHolder,
            Effect.INSTANCE_STANDS_STILL);

    static final Fault ALL =
            Fault.of("all instances stand still", StandstillFaults::freezeAll, Effect.INSTANCE_STANDS_STILL);

    private StandstillFaults() {}

    /** Of the holder at any moment: if nobody probes meanwhile nobody stands still. */
    static List<Fault> all() {
        return List.of(HOLDER.maybe(), ALL);
    }

    /** If nobody probes meanwhile nobody stands still. */
    private static void freezeHolder(World world, Duration length, Random random) {
        Optional<Instance> holder = holder(world, length);
        if (holder.isPresent()) {
            holder.get().freeze();
            try {
                Round.pass(length.toMillis());
            } finally {
                holder.get().thaw();
            }
        }
    }

    /** The instance whose probe comes to the provider first within that time, or is there. */
    static Optional<Instance> holder(World world, Duration patience) {
        long end = System.nanoTime() + patience.toNanos();
        while (System.nanoTime() - end < 0) {
            Optional<String> name = world.provider().prober();
            if (name.isPresent()) {
                return instances(world).stream()
                        .filter(instance -> instance.name().equals(name.get()))
                        .findFirst();
            }
            Round.pass(1);
        }
        return Optional.empty();
    }

    private static void freezeAll(World world, Duration length, Random random) {
        List<Instance> all = instances(world);
        try {
            all.forEach(Instance::freeze);
            Round.pass(length.toMillis());
        } finally {
            all.forEach(Instance::thaw);
        }
    }

    private static List<Instance> instances(World world) {
        return IntStream.range(0, world.size()).mapToObj(world::instance).toList();
    }
}
