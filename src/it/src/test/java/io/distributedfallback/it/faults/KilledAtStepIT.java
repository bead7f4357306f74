package io.distributedfallback.it.faults;

import io.distributedfallback.it.faults.Records.Weather;
import io.distributedfallback.it.faults.Round.Plan;
import io.distributedfallback.it.faults.Step.Statement;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Instances are killed at each step of their work: one of those that lead to the opening, and one of those that lead back,
 * while a provider fails and comes back. A round in which nobody comes to the step fails.
 */
@Tag("faults")
class KilledAtStepIT {

    /** Short, because the way back begins while the provider is away: the breaker opens, and is probed at once. */
    private static final Plan PLAN = new Plan(400, 2_200, 100, 1_000, Weather.FAILING);

    private static World world;

    static List<Fault> steps() {
        return List.of(
                StepFaults.at(Step.before(Statement.READ), Step.before(Statement.LEASE)),
                StepFaults.at(Step.after(Statement.READ), Step.after(Statement.LEASE)),
                StepFaults.at(Step.before(Statement.RECORD), Step.beforeCommit(Statement.LEASE)),
                StepFaults.at(Step.after(Statement.RECORD), Step.afterCommit(Statement.LEASE)),
                StepFaults.at(Step.beforeCommit(Statement.RECORD), Step.before(Statement.VERDICT)),
                StepFaults.at(Step.afterCommit(Statement.RECORD), Step.after(Statement.VERDICT)),
                StepFaults.at(Step.beforeCommit(Statement.VERDICT)),
                StepFaults.at(Step.afterCommit(Statement.VERDICT)),
                StepFaults.atListen(false),
                StepFaults.atListen(true));
    }

    @BeforeAll
    static void open() {
        world = World.open("killed-at-step", CabledPostgres.watched(3), 3);
    }

    @AfterAll
    static void close() {
        world.close();
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource("steps")
    void all_goes_on_without_the_instance(Fault fault) throws Exception {
        assertThat(new Round(fault, PLAN, 3).run(world).violations()).isEmpty();
    }
}
