package io.distributedfallback.it.faults;

import io.distributedfallback.it.faults.Round.Plan;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

import static io.distributedfallback.it.faults.Meanwhile.fails;
import static io.distributedfallback.it.faults.Meanwhile.recovers;
import static org.assertj.core.api.Assertions.assertThat;

/** PgBouncer in transaction mode in between, with fewer connections than one instance has. */
@Tag("faults")
class PoolerFaultsIT {

    private static final int CONNECTIONS = 3;

    private static World world;
    private static int rounds;

    /** What the database does behind a pooler resembles what it does without one: the two plans are shared. */
    static Stream<Arguments> rounds() {
        return Stream.of(
                recovers(InstanceFaults.NONE),
                fails(PoolerFaults.KILLED),
                recovers(PoolerFaults.PAUSED),
                fails(PoolerFaults.CUT),
                recovers(PoolerFaults.RESTARTED));
    }

    @BeforeAll
    static void open() {
        world = World.open("pooler", new BouncedPostgres("pooler", CONNECTIONS, "&prepareThreshold=0"), 3);
    }

    @AfterAll
    static void close() {
        world.close();
    }

    @ParameterizedTest(name = "{0}, {1}")
    @MethodSource("rounds")
    void all_rules_hold(Fault fault, String meanwhile, Plan plan) throws Exception {
        rounds++;
        world.renewAfterLosses();
        assertThat(new Round(fault, plan, rounds).run(world).violations()).isEmpty();
    }
}
