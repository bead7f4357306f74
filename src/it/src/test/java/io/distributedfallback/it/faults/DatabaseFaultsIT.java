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

/** The server of the database goes away, hangs, and says no. */
@Tag("faults")
class DatabaseFaultsIT {

    private static World world;
    private static int rounds;

    /** Faults that resemble each other share the two plans. */
    static Stream<Arguments> rounds() {
        return Stream.of(
                failsOn(DatabaseFaults.STOPPED),
                recovers(DatabaseFaults.STOPPED),
                recovers(DatabaseFaults.RESTARTED),
                fails(DatabaseFaults.KILLED),
                fails(DatabaseFaults.FROZEN),
                recovers(DatabaseFaults.FROZEN),
                fails(DatabaseFaults.CONNECTIONS_TAKEN),
                fails(DatabaseFaults.SESSIONS_ENDED),
                recovers(DatabaseFaults.SESSIONS_ENDED_AGAIN),
                fails(DatabaseFaults.READ_ONLY),
                recovers(DatabaseFaults.STATEMENTS_CUT_OFF),
                fails(DatabaseFaults.SERIALIZABLE));
    }

    @BeforeAll
    static void open() {
        world = World.open("database", new CabledPostgres(3), 3);
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
