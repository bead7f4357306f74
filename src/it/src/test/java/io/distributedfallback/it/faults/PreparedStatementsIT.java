package io.distributedfallback.it.faults;

import io.distributedfallback.it.faults.Round.Plan;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * A PgBouncer that tracks no prepared statements, as before its version 1.21, and a URL without {@code prepareThreshold=0}:
 * what is prepared on one connection to the database is asked for on another. A mistake of whoever sets it up; no call may
 * fail for it.
 */
@Tag("faults")
class PreparedStatementsIT {

    private static final int CONNECTIONS = 2;

    /** The instances work alone for most of the time, and what they find out then does not always reach the table. */
    private static final List<String> HOLDS_ALL_THE_SAME =
            List.of("NoCallFailsOrWaits", "OnlyProbesClose", "OneProbeAtATime", "FewPayForAnOutage");

    @Test
    void no_call_fails_or_waits_and_the_log_says_what_is_wrong() throws Exception {
        try (World world = World.open("prepared", new BouncedPostgres("prepared", CONNECTIONS, ""), 2)) {
            Round.Outcome outcome = new Round(InstanceFaults.NONE, Plan.OUTAGE_DURING_FAULT, 1).runLast(world);

            String said = world.instance(0).said() + world.instance(1).said();
            assertThat(outcome.violations().stream()
                            .filter(violation -> HOLDS_ALL_THE_SAME.stream().anyMatch(violation::startsWith)))
                    .isEmpty();
            assertThat(said).contains("prepareThreshold=0");
        }
    }
}
