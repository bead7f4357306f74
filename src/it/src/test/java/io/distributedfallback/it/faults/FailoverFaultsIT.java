package io.distributedfallback.it.faults;

import io.distributedfallback.it.faults.Records.Weather;
import io.distributedfallback.it.faults.Round.Plan;
import java.util.List;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

import static org.assertj.core.api.Assertions.assertThat;

/** A primary and a synchronous standby under a URL that names both: what was acknowledged outlives the primary. */
@Tag("faults")
class FailoverFaultsIT {

    private static final String COUNT = "EachFailureCountsOnce";
    private static final int OUTAGE_AT = 1_000;

    private static World world;

    static List<Fault> faults() {
        return FailoverFaults.all();
    }

    @BeforeAll
    static void open() {
        world = World.open("failover", new ReplicatedPostgres("&targetServerType=primary&hostRecheckSeconds=1"), 3);
    }

    @AfterAll
    static void close() {
        world.close();
    }

    @Test
    void the_provider_fails_while_the_standby_stands_still() throws Exception {
        Round round = new Round(FailoverFaults.STANDBY_FROZEN, Plan.OUTAGE_DURING_FAULT, 1);

        assertThat(round.run(world).violations()).isEmpty();
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource("faults")
    void the_provider_recovers_meanwhile(Fault fault) throws Exception {
        assertThat(new Round(fault, Plan.RECOVERY_DURING_FAULT, 2).run(world).violations())
                .isEmpty();
    }

    /** The first three failures come within some tens of milliseconds of the outage's beginning. */
    @ParameterizedTest(name = "{0} ms after the outage began")
    @ValueSource(ints = {30, 70})
    void the_primary_is_killed_while_the_breaker_opens(int later) throws Exception {
        Plan plan = new Plan(OUTAGE_AT, 6_000, OUTAGE_AT + later, 1_500, Weather.FAILING);

        assertThat(new Round(FailoverFaults.PRIMARY_KILLED, plan, 3).run(world).violations())
                .isEmpty();
    }

    /** Without {@code targetServerType}. */
    @Test
    void an_instance_that_may_only_read_says_so_once_and_works_for_itself() throws Exception {
        Plan plan = new Plan(6_000, 4_000, 0, 12_000, Weather.FAILING);

        AtomicReference<Instance> misdirected = new AtomicReference<>();

        Round.Outcome outcome = new Round(FailoverFaults.misdirected(misdirected::set), plan, 4).run(world);

        assertThat(outcome.violations().stream().filter(violation -> !violation.startsWith(COUNT)))
                .isEmpty();
        String said = misdirected.get().said();
        assertThat(said.split("WARNING: DFB304", -1)).as(said).hasSize(2);
        assertThat(said).contains("SQLSTATE 25006");
    }
}
