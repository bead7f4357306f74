package io.distributedfallback.it.faults;

import io.distributedfallback.it.faults.Records.Entry;
import io.distributedfallback.it.faults.Records.Request;
import io.distributedfallback.it.faults.Records.Weather;
import io.distributedfallback.it.faults.Round.Plan;
import io.distributedfallback.it.faults.rule.Rules;
import io.distributedfallback.it.harness.Eventually;
import java.sql.SQLException;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.parallel.ResourceLock;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

import static org.assertj.core.api.Assertions.assertThat;

/** Processes stand still (SIGSTOP) and go on: one with the lease, one in the middle of failing calls, all of them. */
@Tag("faults")
@ExtendWith(SharedWorld.class)
@ResourceLock(SharedWorld.LOCK)
class StandstillIT {

    private static final Duration PATIENCE = Duration.ofSeconds(20);
    private static final int OK = 200;

    private static World world;

    static List<Fault> faults() {
        return List.of(StandstillFaults.HOLDER, StandstillFaults.ALL);
    }

    @BeforeAll
    static void open(World shared) {
        world = shared;
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource("faults")
    void the_provider_recovers_meanwhile(Fault fault) throws Exception {
        assertThat(new Round(fault, Plan.RECOVERY_DURING_FAULT, 7).run(world).violations())
                .isEmpty();
    }

    @Test
    void one_stands_still_in_the_middle_of_failing_calls() throws Exception {
        Plan amidst = new Plan(300, 3_000, 320, 2_500, Weather.HANGING);
        assertThat(new Round(InstanceFaults.FROZEN, amidst, 8).run(world).violations())
                .isEmpty();
    }

    @Test
    void another_takes_over_when_the_lease_of_the_holder_has_run_out_and_the_woken_one_changes_nothing()
            throws Exception {
        long from = System.nanoTime();
        world.provider().turn(Weather.HANGING);
        Instance holder = StandstillFaults.holder(world, PATIENCE).orElseThrow();
        long leased = System.nanoTime();
        holder.freeze();
        long leaseEnds;
        long passedBy;
        try {
            leaseEnds = System.nanoTime() + leaseLeftNanos();
            world.provider().turn(Weather.WELL);
            Eventually.until("another has probed, and passed", PATIENCE, () -> passes() > 0);
            passedBy = System.nanoTime();
        } finally {
            holder.thaw();
        }
        world.recover(PATIENCE);
        Records records = world.takeStock(from);
        world.goOn();

        assertThat(Rules.broken(records)).isEmpty();
        List<Entry> history = records.historyOf("catalogue");
        assertThat(history).hasSize(2);
        List<Request> answered = records.requests().stream()
                .filter(request -> request.isProbe() && request.status() == OK)
                .filter(request -> request.arrived() < history.get(1).at())
                .toList();
        assertThat(answered)
                .as("by another while it stands still")
                .anyMatch(request -> !request.instance().equals(holder.name()) && request.arrived() < passedBy);
        List<Request> passed = answered.stream()
                // A busy machine may take the database from one of them, which then probes for itself.
                .filter(request -> !records.isAlone(request))
                // What it had sent may get there while it stands still; it does not hear the answer in time.
                .filter(request -> !request.instance().equals(holder.name()) || request.began() > passedBy)
                .toList();
        // What the woken one has to say is that its probe failed: that would begin the count anew.
        assertThat(passed).hasSizeLessThanOrEqualTo(3);
        assertThat(leaseEnds).as("a lease was running").isGreaterThan(leased);
        assertThat(passed)
                .as("nobody probes while the lease runs")
                .allMatch(request ->
                        request.arrived() > leaseEnds - Duration.ofMillis(20).toNanos());
        // A busy machine takes its time; how long nobody may probe is a rule of its own.
        assertThat(passedBy).isLessThan(leaseEnds + Records.FRESH_NANOS + 5 * Records.SLACK_NANOS);
    }

    private static long leaseLeftNanos() throws SQLException {
        return 1_000
                * ask("(extract(epoch FROM COALESCE(probe_lease_until, clock_timestamp()) - clock_timestamp())"
                        + " * 1000000)::bigint");
    }

    private static long passes() throws SQLException {
        return ask("consecutive_probe_successes");
    }

    private static long ask(String expression) throws SQLException {
        return Long.parseLong(world.database()
                .ask("SELECT " + expression + " FROM distributed_breaker WHERE name = 'catalogue'")
                .orElseThrow());
    }
}
