package io.distributedfallback.it.faults;

import io.distributedfallback.it.faults.Round.Plan;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

import static org.assertj.core.api.Assertions.assertThat;

/** PgBouncer in transaction mode in between, with fewer connections than one instance has. */
@Tag("faults")
class PoolerFaultsIT {

    private static final int CONNECTIONS = 3;

    private static World world;

    static List<Fault> faults() {
        return PoolerFaults.all();
    }

    @BeforeAll
    static void open() {
        world = World.open("pooler", new BouncedPostgres("pooler", CONNECTIONS, "&prepareThreshold=0"), 3);
    }

    @AfterAll
    static void close() {
        world.close();
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource("faults")
    void the_provider_fails_meanwhile(Fault fault) throws Exception {
        assertThat(new Round(fault, Plan.OUTAGE_DURING_FAULT, 1).run(world).violations())
                .isEmpty();
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource("faults")
    void the_provider_recovers_meanwhile(Fault fault) throws Exception {
        assertThat(new Round(fault, Plan.RECOVERY_DURING_FAULT, 2).run(world).violations())
                .isEmpty();
    }
}
