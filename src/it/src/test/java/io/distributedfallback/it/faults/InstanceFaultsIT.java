package io.distributedfallback.it.faults;

import io.distributedfallback.it.faults.Round.Plan;
import java.util.List;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.parallel.ResourceLock;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

import static org.assertj.core.api.Assertions.assertThat;

/** Instances die, stand still, and come anew. */
@Tag("faults")
@ExtendWith(SharedWorld.class)
@ResourceLock(SharedWorld.LOCK)
class InstanceFaultsIT {

    private static World world;

    static List<Fault> faults() {
        return InstanceFaults.all();
    }

    static List<Fault> deaths() {
        return List.of(InstanceFaults.KILLED, InstanceFaults.FROZEN);
    }

    @BeforeAll
    static void open(World shared) {
        world = shared;
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource("faults")
    void the_provider_fails_meanwhile(Fault fault) throws Exception {
        assertThat(new Round(fault, Plan.OUTAGE_DURING_FAULT, 1).run(world).violations())
                .isEmpty();
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource("deaths")
    void the_provider_recovers_meanwhile(Fault fault) throws Exception {
        assertThat(new Round(fault, Plan.RECOVERY_DURING_FAULT, 2).run(world).violations())
                .isEmpty();
    }
}
