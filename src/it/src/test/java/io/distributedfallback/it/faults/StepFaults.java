package io.distributedfallback.it.faults;

import io.distributedfallback.it.faults.Step.Statement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.OptionalInt;
import java.util.Random;

/** {@code kill -9} at a step of an instance's work. Needs a {@link CabledPostgres#watched} one. */
final class StepFaults {

    /** So long may a step take to come that is bound to come. */
    private static final Duration PATIENCE = Duration.ofSeconds(20);

    private static final Duration GLANCE = Duration.ofMillis(20);

    /** Whichever it is: if it does not come meanwhile nobody dies. */
    static final Fault DRAWN = Fault.of(
                    "an instance is killed at a step of its work",
                    (world, length, random) -> {
                        List<Step> steps = Step.recurring();
                        killAt(world, List.of(steps.get(random.nextInt(steps.size()))), length);
                    },
                    Effect.INSTANCE_DIES)
            .maybe();

    private StepFaults() {}

    static List<Fault> all() {
        return List.of(DRAWN);
    }

    /** The instances that come first to these steps die there. They must: it fails if a step does not come. */
    static Fault at(Step... steps) {
        return Fault.of(
                "instances are killed " + String.join(" and ", names(steps)),
                (world, length, random) -> {
                    List<Trap> missed = killAt(world, List.of(steps), PATIENCE);
                    if (!missed.isEmpty()) {
                        throw new AssertionError("nobody was killed " + missed);
                    }
                },
                Effect.INSTANCE_DIES);
    }

    /** A new instance dies as it begins to listen. */
    static Fault atListen(boolean isAfter) {
        Step step = isAfter ? Step.after(Statement.LISTEN) : Step.before(Statement.LISTEN);
        return Fault.of(
                "an instance is killed " + step,
                (world, length, random) -> dieListening(world, step, random),
                Effect.INSTANCE_DIES);
    }

    private static List<String> names(Step... steps) {
        return List.of(steps).stream().map(Step::toString).toList();
    }

    private static List<Trap> killAt(World world, List<Step> steps, Duration patience) throws InterruptedException {
        List<Trap> waiting = new ArrayList<>(steps.stream().map(Trap::new).toList());
        List<Tripwire> tripwires = tripwires(world);
        waiting.forEach(trap -> lay(world, tripwires, trap));
        long end = System.nanoTime() + patience.toNanos();
        try {
            while (!waiting.isEmpty() && System.nanoTime() - end < 0) {
                for (Iterator<Trap> traps = waiting.iterator(); traps.hasNext(); ) {
                    OptionalInt caught = traps.next().caught(GLANCE);
                    if (caught.isPresent()) {
                        traps.remove();
                        world.replaceTheDead(caught.getAsInt(), Map.of());
                    }
                }
            }
            return waiting;
        } finally {
            tripwires.forEach(Tripwire::disarm);
            for (Trap trap : waiting) {
                trap.takeUp(PATIENCE);
            }
            replaceTheDead(world);
        }
    }

    private static void lay(World world, List<Tripwire> tripwires, Trap trap) {
        for (int place = 0; place < tripwires.size(); place++) {
            int at = place;
            tripwires.get(at).arm(trap, () -> world.instance(at).kill());
        }
    }

    private static void dieListening(World world, Step step, Random random) throws InterruptedException {
        int place = random.nextInt(world.size());
        world.instance(place).kill();
        dieAt(world, place, step, () -> world.replaceTheDead(place, Map.of()));
    }

    /** What an instance is made to do has it die at that step. */
    static void dieAt(World world, int place, Step step, Runnable action) throws InterruptedException {
        Trap trap = new Trap(step);
        Tripwire tripwire = tripwires(world).get(place);
        tripwire.arm(trap, () -> world.instance(place).kill());
        try {
            action.run();
            if (trap.caught(PATIENCE).isEmpty()) {
                throw new AssertionError("nobody was killed " + step);
            }
        } finally {
            tripwire.disarm();
            trap.takeUp(PATIENCE);
            replaceTheDead(world);
        }
    }

    private static void replaceTheDead(World world) {
        for (int place = 0; place < world.size(); place++) {
            if (!world.instance(place).isAlive()) {
                world.replaceTheDead(place, Map.of());
            }
        }
    }

    private static List<Tripwire> tripwires(World world) {
        if (world.database() instanceof CabledPostgres postgres
                && !postgres.tripwires().isEmpty()) {
            return postgres.tripwires();
        }
        throw new IllegalStateException("nobody watches this database: " + world.database());
    }
}
