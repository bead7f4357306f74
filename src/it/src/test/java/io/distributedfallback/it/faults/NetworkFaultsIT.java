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
import static io.distributedfallback.it.faults.Meanwhile.failsOn;
import static io.distributedfallback.it.faults.Meanwhile.recovers;
import static org.assertj.core.api.Assertions.assertThat;

/** The way to the database is cut, swallows what goes through it, and is slow. */
@Tag("faults")
class NetworkFaultsIT {

    private static World world;
    private static int rounds;

    /** Faults that resemble each other share the two plans. */
    static Stream<Arguments> rounds() {
        return Stream.of(
                fails(NetworkFaults.ONE_IS_CUT_OFF),
                recovers(NetworkFaults.ALL_ARE_CUT_OFF),
                fails(NetworkFaults.ONE_IN_A_BLACK_HOLE),
                failsOn(NetworkFaults.ALL_IN_A_BLACK_HOLE),
                recovers(NetworkFaults.ALL_IN_A_BLACK_HOLE),
                recovers(NetworkFaults.ANSWERS_ARE_LOST),
                fails(NetworkFaults.QUESTIONS_ARE_LOST),
                fails(NetworkFaults.ANSWERS_ARE_TORN),
                recovers(NetworkFaults.SLOW));
    }

    @BeforeAll
    static void open() {
        world = World.open("network", new CabledPostgres(3), 3);
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
