package io.distributedfallback.it.faults;

import io.distributedfallback.it.faults.Records.Entry;
import io.distributedfallback.it.faults.Records.Life;
import io.distributedfallback.it.faults.Records.Request;
import java.io.IOException;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/** Of probes. */
class ProbeRulesTest extends RuleTest {

    @Nested
    class Only_probes_close {

        private static final String RULE = "OnlyProbesClose";

        @Test
        void something_else_did() throws IOException {
            history.set(1, new Entry("catalogue", "OPEN", "CLOSED", "OPERATOR", 3, at(105.1)));
            assertBroken(RULE);
        }

        @Test
        void two_did() throws IOException {
            history.set(1, new Entry("catalogue", "OPEN", "CLOSED", "PROBES", 2, at(105.1)));
            assertBroken(RULE);
        }

        @Test
        void the_provider_saw_only_two_of_them_pass() throws IOException {
            requests.removeIf(request -> request.arrived() == at(105));
            assertBroken(RULE);
        }

        @Test
        void the_third_came_after_it_had_closed() throws IOException {
            history.set(1, new Entry("catalogue", "OPEN", "CLOSED", "PROBES", 3, at(104.9)));
            assertBroken(RULE);
        }
    }

    @Nested
    class One_probe_at_a_time {

        private static final String RULE = "OneProbeAtATime";

        @Test
        void two_were_there() throws IOException {
            probe("b", 103.05, 500);
            assertBroken(RULE);
        }

        @Test
        void a_long_one_was_still_there_when_a_short_one_had_gone() throws IOException {
            requests.removeIf(request -> request.isProbe() && request.arrived() <= at(103));
            requests.add(new Request("catalogue", "probe", "a", at(102.6), at(102.6), at(103.4), 500));
            requests.add(new Request("catalogue", "probe", "b", at(102.7), at(102.7), at(102.8), 500));
            requests.add(new Request("catalogue", "probe", "b", at(103.1), at(103.1), at(103.2), 500));
            assertThat(violations()).filteredOn(text -> text.startsWith(RULE)).hasSize(2);
        }

        @Test
        void the_first_stood_still_beyond_its_lease() throws IOException {
            requests.add(new Request("catalogue", "probe", "b", at(102.4), at(102.6), at(104.5), 500));
            stall(ofB, 102.4, 104.4);
            assertKept();
        }

        @Test
        void the_second_had_no_database() throws IOException {
            probe("b", 103.05, 500);
            loseTheStore(ofB, 103, 103.2);
            assertKept();
        }
    }

    @Nested
    class Probes_go_on {

        private static final String RULE = "ProbesGoOn";

        private void pauseFor(double seconds) {
            requests.removeIf(Request::isProbe);
            history.remove(1);
            probe("b", 104.2 + seconds, 200);
            probe("b", 104.6 + seconds, 200);
            probe("b", 105 + seconds, 200);
            close(105.1 + seconds);
            ofB.removeIf(line -> line.startsWith("transition"));
            ofB.add("transition catalogue CLOSED " + at(105.2 + seconds));
        }

        @Test
        void a_lease_was_held_for_longer_than_it_lasts() throws IOException {
            pauseFor(4);
            assertBroken(RULE);
        }

        @Test
        void a_lease_ran_out() throws IOException {
            pauseFor(2);
            assertKept();
        }

        @Test
        void two_died_with_it() throws IOException {
            lives.set(0, new Life("a", at(50), at(103)));
            lives.add(new Life("c", at(50), at(104)));
            pauseFor(4);
            assertKept();
        }

        @Test
        void only_one_stood_still() throws IOException {
            pauseFor(4);
            stall(ofA, 103, 108);
            assertBroken(RULE);
        }

        @Test
        void all_stood_still() throws IOException {
            pauseFor(4);
            stall(ofA, 103, 107);
            stall(ofB, 103, 107);
            assertKept();
        }

        @Test
        void nobody_could_take_a_lease() throws IOException {
            pauseFor(4);
            strike(Effect.STORE_AWAY, 103, 106);
            loseTheStore(ofA, 103.5, 106.2);
            assertKept();
        }
    }
}
