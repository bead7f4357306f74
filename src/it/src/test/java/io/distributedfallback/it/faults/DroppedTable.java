package io.distributedfallback.it.faults;

import io.distributedfallback.it.harness.Eventually;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.sql.SQLException;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Random;

/** The table of the breakers is gone. What was in it is lost; the history is another table. */
final class DroppedTable {

    static final Fault MADE_BY_ADMINISTRATOR = Fault.of(
            "the table is dropped, and an administrator makes it again",
            DroppedTable::strike,
            Effect.STORE_AWAY,
            Effect.STATE_LOST);

    static final Fault MADE_BY_INSTANCE = Fault.of(
            "the table is dropped, and an instance that starts makes it again",
            DroppedTable::strikeAndReplace,
            Effect.STORE_AWAY,
            Effect.STATE_LOST);

    private static final List<String> DEFINITIONS = List.of(
            "V1__distributed_breaker.sql",
            "V2__active_breakers.sql",
            "V3__commands_and_history.sql",
            "V4__ramp_up.sql",
            "V5__fallback_permits.sql",
            "V6__call_queue.sql");

    private static final Duration LONGEST = Duration.ofMinutes(1);

    private DroppedTable() {}

    private static void strike(World world, Duration length, Random random) throws Exception {
        drop(world);
        try {
            Round.pass(length.toMillis());
        } finally {
            makeAgain(world);
        }
    }

    private static void strikeAndReplace(World world, Duration length, Random random) throws Exception {
        drop(world);
        try {
            Round.pass(length.toMillis());
            Instance unused = world.replace(random.nextInt(world.size()), Map.of(), Map.of());
            Eventually.until("the new instance has made the table again", LONGEST, () -> isThere(world));
        } finally {
            makeAgain(world);
        }
    }

    private static boolean isThere(World world) throws SQLException {
        return world.database().ask("SELECT to_regclass('distributed_breaker')").isPresent();
    }

    /** With the functions that take its rows. */
    private static void drop(World world) throws SQLException {
        world.database(CabledPostgres.class).run("DROP TABLE distributed_breaker CASCADE");
    }

    /** As the role that is to own it. */
    private static void makeAgain(World world) throws SQLException, IOException {
        StringBuilder script = new StringBuilder("SET ROLE " + CabledPostgres.ROLE + ";\n");
        for (String file : DEFINITIONS) {
            String path = "/io/distributedfallback/store/postgresql/" + file;
            try (InputStream in = Objects.requireNonNull(DroppedTable.class.getResourceAsStream(path), path)) {
                script.append(new String(in.readAllBytes(), StandardCharsets.UTF_8))
                        .append('\n');
            }
        }
        world.database(CabledPostgres.class).run(script.toString());
    }
}
