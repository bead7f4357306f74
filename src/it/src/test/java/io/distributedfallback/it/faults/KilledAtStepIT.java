package io.distributedfallback.it.faults;

import io.distributedfallback.it.faults.Records.Weather;
import io.distributedfallback.it.faults.Round.Plan;
import io.distributedfallback.it.faults.Step.Statement;
import io.distributedfallback.it.faults.app.Node;
import io.distributedfallback.it.harness.Eventually;
import java.sql.SQLException;
import java.time.Duration;
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

    private static final Duration PATIENCE = Duration.ofSeconds(20);

    /** The longest pause of an instance that has lost it, and some. */
    private static final Duration WITH_THE_STORE = Duration.ofSeconds(45);

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

    static List<Step> stepsOfACommand() {
        return List.of(
                Step.before(Statement.COMMAND),
                Step.after(Statement.COMMAND),
                Step.beforeCommit(Statement.COMMAND),
                Step.afterCommit(Statement.COMMAND));
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource("stepsOfACommand")
    void a_command_is_carried_out_whole_or_not_at_all_and_may_be_given_again(Step step) throws Exception {
        // A command is for all, and so it is refused by an instance that is alone.
        world.recover(WITH_THE_STORE);
        long before = commands();
        StepFaults.dieAt(world, 0, step, () -> world.instance(0).say(Node.FORCE));
        boolean isDone = step.isCommit() && step.isAfter();
        assertThat(isForced()).isEqualTo(isDone);
        assertThat(commands() - before).isEqualTo(isDone ? 1 : 0);

        world.recover(WITH_THE_STORE);
        world.instance(1).say(Node.FORCE);
        Eventually.until("the next instance has carried it out", PATIENCE, () -> isForced() && commands() > before);
        world.instance(2).say(Node.CLEAR);
        Eventually.until("a third one has cleared it", PATIENCE, () -> !isForced());
        assertThat(commands() - before).isEqualTo(isDone ? 3 : 2);
        Records unused = world.takeStock(System.nanoTime());
        world.goOn();
    }

    private static boolean isForced() throws SQLException {
        return world.database()
                .ask("SELECT override_mode FROM distributed_breaker WHERE name = 'catalogue'")
                .isPresent();
    }

    private static long commands() throws SQLException {
        return Long.parseLong(world.database()
                .ask("SELECT count(*) FROM distributed_breaker_transition WHERE commanded_by = 'ann'")
                .orElseThrow());
    }
}
