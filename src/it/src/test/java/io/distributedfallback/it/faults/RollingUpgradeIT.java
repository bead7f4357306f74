package io.distributedfallback.it.faults;

import io.distributedfallback.it.faults.Records.Weather;
import io.distributedfallback.it.faults.Round.Plan;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.MethodOrderer.OrderAnnotation;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestMethodOrder;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

/** The real code of before version 4 of the tables, and today's, side by side on one database. */
@Tag("faults")
@TestMethodOrder(OrderAnnotation.class)
class RollingUpgradeIT {

    private static final String TODAY = System.getProperty("java.class.path");
    private static final Plan LONG_OUTAGE = new Plan(300, 9_000, 1_500, 1_000, Weather.FAILING);
    private static final Plan SHORT_OUTAGE = new Plan(300, 3_000, 1_500, 1_000, Weather.HANGING);

    private static OlderVersion older;
    private static World world;

    @BeforeAll
    static void open() {
        Optional<OlderVersion> found = OlderVersion.before("V4__ramp_up.sql");
        assumeTrue(
                found.isPresent(),
                "the history of the sources does not reach back to before V4__ramp_up.sql (a shallow clone?): there is no"
                        + " older version to run beside this one. git fetch --unshallow brings it");
        older = found.get();
        world = World.open("rolling", new CabledPostgres(3), 3, older.classPath());
    }

    @AfterAll
    static void close() {
        if (world != null) {
            world.close();
        }
    }

    @Test
    @Order(1)
    void the_first_of_the_new_ones_upgrades_the_tables_while_the_breaker_is_open() throws Exception {
        assertThat(tables()).as("as the older version made them").doesNotContain("distributed_queue_command");

        holds(RollingFaults.roll("a new version comes", TODAY, 0), LONG_OUTAGE);

        assertThat(tables()).contains("distributed_queue_command");
    }

    @Test
    @Order(2)
    void the_two_versions_open_probe_and_close_together() throws Exception {
        holds(InstanceFaults.NONE, SHORT_OUTAGE);
    }

    @Test
    @Order(3)
    void one_of_the_older_ones_starts_after_the_upgrade() throws Exception {
        holds(RollingFaults.roll("the older version starts anew", older.classPath(), 1), SHORT_OUTAGE);
    }

    @Test
    @Order(4)
    void the_others_follow() throws Exception {
        holds(RollingFaults.roll("the new version comes everywhere", TODAY, 1, 2), LONG_OUTAGE);
    }

    private static void holds(Fault fault, Plan plan) throws Exception {
        assertThat(new Round(fault, plan, 1).run(world).violations()).isEmpty();
    }

    private static List<String> tables() throws Exception {
        return world.archive().tables();
    }
}
