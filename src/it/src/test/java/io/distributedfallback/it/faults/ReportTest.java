package io.distributedfallback.it.faults;

import java.io.IOException;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/** The report adds up what came in each round, whatever came before. */
class ReportTest extends RuleTest {

    private static final Round ROUND = new Round(InstanceFaults.NONE, Round.Plan.OUTAGE_DURING_FAULT, 1);

    @Test
    void failures_of_all_rounds_are_added_up() throws IOException {
        ofA.add("call ledger fallback " + at(101) + ' ' + at(101.1) + ' ' + at(0.1));
        ofB.add("call ledger fallback " + at(101) + ' ' + at(101.1) + ' ' + at(0.1));
        ofB.add("call ledger fallback " + at(102) + ' ' + at(102.1) + " 0");
        Report report = new Report(1);

        report.add(new Round.Outcome(ROUND, records(), List.of(), false, Duration.ZERO));
        report.add(new Round.Outcome(ROUND, records(), List.of(), false, Duration.ZERO));

        assertThat(report.text()).contains("| Failures to be counted one by one | 4 |");
    }

    @Test
    void a_fault_that_left_no_trace_is_told_from_one_that_did() throws IOException {
        Report report = new Report(1);

        strike(Effect.INSTANCE_DIES, 101, 102);
        report.add(new Round.Outcome(ROUND, records(), List.of(), false, Duration.ZERO));
        lives.set(0, new Records.Life("a", at(50), at(101.5)));
        report.add(new Round.Outcome(ROUND, records(), List.of(), false, Duration.ZERO));

        assertThat(report.text()).contains("| nothing breaks | 2 | 1 |");
    }

    @Test
    void a_round_in_which_the_machines_clock_moved_is_told_and_counts_for_nothing_else() throws IOException {
        Report report = new Report(1);

        report.add(new Round.Outcome(ROUND, records(), List.of("not judged"), false, Duration.ofSeconds(13)));

        assertThat(report.violations()).isEmpty();
        assertThat(report.text())
                .contains("because the machine's clock moved | 1 |")
                .contains("| Rounds: a fault beside an outage | 0 |");
    }
}
