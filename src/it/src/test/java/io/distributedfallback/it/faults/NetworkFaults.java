package io.distributedfallback.it.faults;

import io.distributedfallback.it.harness.Cable;
import io.distributedfallback.it.harness.Cable.Direction;
import java.time.Duration;
import java.util.List;
import java.util.Random;
import java.util.function.Consumer;

/** What happens on the way to the database. */
final class NetworkFaults {

    static final Fault ONE_IS_CUT_OFF = ofOne("one instance is cut off from the database", Cable::cut);

    static final Fault ALL_ARE_CUT_OFF = ofAll("all instances are cut off from the database", Cable::cut);

    static final Fault ONE_IN_A_BLACK_HOLE =
            ofOne("nothing of one instance gets through to the database", NetworkFaults::swallow);

    static final Fault ALL_IN_A_BLACK_HOLE = ofAll("nothing gets through to the database", NetworkFaults::swallow);

    static final Fault ANSWERS_ARE_LOST =
            ofAll("answers of the database do not get through", cable -> cable.block(Direction.ANSWERS));

    static final Fault QUESTIONS_ARE_LOST =
            ofOne("questions to the database do not get through", cable -> cable.block(Direction.QUESTIONS));

    static final Fault ANSWERS_ARE_TORN = ofAll("connections end in the middle of answers", cable -> cable.tear(5));

    static final Fault SLOW = Fault.of(
                    "the way to the database is slow",
                    (world, length, random) -> {
                        long seed = random.nextLong();
                        all(world, length, cable -> slow(cable, new Random(seed + cable.port())));
                    },
                    Effect.STORE_AWAY)
            .maybe();

    private static final int SHORTEST_MILLIS = 50;
    private static final int LONGEST_MILLIS = 1_500;

    private NetworkFaults() {}

    static List<Fault> all() {
        return List.of(
                ONE_IS_CUT_OFF,
                ALL_ARE_CUT_OFF,
                ONE_IN_A_BLACK_HOLE,
                ALL_IN_A_BLACK_HOLE,
                ANSWERS_ARE_LOST,
                QUESTIONS_ARE_LOST,
                ANSWERS_ARE_TORN,
                SLOW);
    }

    private static Fault ofOne(String name, Consumer<Cable> trouble) {
        return Fault.of(
                name,
                (world, length, random) -> {
                    List<Cable> cables = world.database(CabledPostgres.class).cables();
                    strike(List.of(cables.get(random.nextInt(cables.size()))), length, trouble);
                },
                Effect.STORE_AWAY_FOR_SOME);
    }

    private static Fault ofAll(String name, Consumer<Cable> trouble) {
        return Fault.of(name, (world, length, random) -> all(world, length, trouble), Effect.STORE_AWAY);
    }

    private static void all(World world, Duration length, Consumer<Cable> trouble) {
        strike(world.database(CabledPostgres.class).cables(), length, trouble);
    }

    private static void strike(List<Cable> cables, Duration length, Consumer<Cable> trouble) {
        try {
            cables.forEach(trouble);
            Round.pass(length.toMillis());
        } finally {
            cables.forEach(Cable::mend);
        }
    }

    private static void swallow(Cable cable) {
        cable.block(Direction.values());
    }

    /** From what is only slow to what is longer than any time-out. */
    private static void slow(Cable cable, Random random) {
        cable.slow(() -> SHORTEST_MILLIS + random.nextInt(LONGEST_MILLIS - SHORTEST_MILLIS));
    }
}
