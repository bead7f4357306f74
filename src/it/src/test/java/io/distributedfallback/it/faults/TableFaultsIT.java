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
import static org.assertj.core.api.Assumptions.assumeThat;

/** Locks, rights, a full disk, and administrators who make a mistake. */
@Tag("faults")
class TableFaultsIT {

    private static World world;
    private static int rounds;

    /** Faults that resemble each other share the two plans. */
    static Stream<Arguments> rounds() {
        return Stream.of(
                fails(TableFaults.ROWS_LOCKED),
                recovers(TableFaults.ROWS_LOCKED),
                fails(TableFaults.TABLE_LOCKED),
                fails(TableFaults.DEADLOCKS),
                fails(TableFaults.WRITES_TAKE_LONG),
                recovers(TableFaults.COLUMN_MISSING),
                fails(TableFaults.RIGHTS_REVOKED),
                recovers(DroppedTable.MADE_BY_ADMINISTRATOR),
                fails(DroppedTable.MADE_BY_INSTANCE),
                fails(FullDisk.FAULT));
    }

    @BeforeAll
    static void open() {
        world = World.open("tables", new CabledPostgres(3), 3);
    }

    @AfterAll
    static void close() {
        world.close();
    }

    @ParameterizedTest(name = "{0}, {1}")
    @MethodSource("rounds")
    void all_rules_hold(Fault fault, String meanwhile, Plan plan) throws Exception {
        assumeThat(!fault.equals(FullDisk.FAULT) || FullDisk.mayMount())
                .as(FullDisk.CANNOT)
                .isTrue();
        rounds++;
        world.renewAfterLosses();
        assertThat(new Round(fault, plan, rounds).run(world).violations()).isEmpty();
    }
}
