package io.distributedfallback.it.faults;

import io.distributedfallback.it.faults.Records.Entry;
import io.distributedfallback.it.faults.Records.Ledger;
import io.distributedfallback.it.faults.Records.Life;
import io.distributedfallback.it.faults.Records.Outage;
import io.distributedfallback.it.faults.Records.Request;
import io.distributedfallback.it.faults.Records.Strike;
import io.distributedfallback.it.faults.Records.Weather;
import io.distributedfallback.it.faults.rule.Rules;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Each rule finds what it is there to find, and lets pass what it excuses: held against a round made up by hand, in which
 * all went well, with one thing changed. The round begins at second 100; the provider is away from 102 to 104.
 */
class RulesTest {

    private static final String STORE_UP = "store up " + at(51);

    private final List<Life> lives = new ArrayList<>(List.of(new Life("a", at(50), 0), new Life("b", at(50), 0)));
    private final List<String> ofA = new ArrayList<>(List.of(STORE_UP));
    private final List<String> ofB = new ArrayList<>(List.of(STORE_UP));
    private final List<Request> requests = new ArrayList<>();
    private final List<Outage> outages = new ArrayList<>(List.of(new Outage(Weather.FAILING, at(102), at(104))));
    private final List<Strike> strikes = new ArrayList<>();
    private final List<Entry> history = new ArrayList<>();
    private Ledger ledger = new Ledger(10, 8, 12);

    @TempDir
    Path folder;

    private static long at(double second) {
        return Math.round(second * 1_000) * 1_000_000;
    }

    @BeforeEach
    void all_goes_well() {
        ofA.add(call("primary", 101, 101.1, 0.1));
        ofA.add(call("fallback", 103, 103.1, 0));
        ofA.add("transition catalogue OPEN " + at(102.3));
        ofB.add("transition catalogue CLOSED " + at(105.2));
        for (double second : new double[] {102.1, 102.2, 102.3}) {
            visit("a", second);
        }
        probe("a", 103, 500);
        probe("b", 104.2, 200);
        probe("a", 104.6, 200);
        probe("b", 105, 200);
        open(102.3);
        close(105.1);
    }

    private static String call(String outcome, double began, double ended, double atProvider) {
        return "call catalogue " + outcome + ' ' + at(began) + ' ' + at(ended) + ' ' + at(atProvider);
    }

    private void visit(String instance, double second) {
        requests.add(new Request("catalogue", "visitor", instance, at(second), at(second), at(second + 0.01), 500));
    }

    private void probe(String instance, double second, int status) {
        requests.add(new Request("catalogue", "probe", instance, at(second), at(second), at(second + 0.1), status));
    }

    private void open(double second) {
        history.add(new Entry("catalogue", "CLOSED", "OPEN", "FAILURES", 0, at(second)));
    }

    private void close(double second) {
        history.add(new Entry("catalogue", "OPEN", "CLOSED", "PROBES", 3, at(second)));
    }

    private void strike(Effect effect, double from, double to) {
        strikes.add(new Strike("a fault", Set.of(effect), at(from), at(to)));
    }

    private void stall(List<String> journal, double from, double to) {
        journal.add("stall " + at(from) + ' ' + at(to));
    }

    private void loseTheStore(List<String> journal, double from, double to) {
        journal.add("store down " + at(from));
        journal.add("store up " + at(to));
    }

    private void assertBroken(String rule) throws IOException {
        assertThat(violations()).anyMatch(text -> text.startsWith(rule + ": "));
    }

    private void assertKept() throws IOException {
        assertThat(violations()).isEmpty();
    }

    private List<String> violations() throws IOException {
        Journals journals = new Journals();
        for (Life life : lives) {
            Path file = folder.resolve(life.instance());
            Files.write(file, Map.of("a", ofA, "b", ofB).getOrDefault(life.instance(), List.of(STORE_UP)));
            journals.read(life.instance(), file, at(100));
        }
        return Rules.broken(new Records(at(100), lives, journals, requests, outages, strikes, history, ledger));
    }

    @Test
    void a_round_in_which_all_went_well_breaks_none() throws IOException {
        assertKept();
    }

    @Nested
    class No_call_fails_or_waits {

        private static final String RULE = "NoCallFailsOrWaits";

        @Test
        void one_failed() throws IOException {
            ofB.add(call("broken", 101, 101.1, 0));
            assertBroken(RULE);
        }

        @Test
        void one_waited_longer_than_for_a_read_and_a_write() throws IOException {
            ofB.add(call("primary", 101, 104.2, 0.1));
            assertBroken(RULE);
        }

        @Test
        void the_provider_took_its_time() throws IOException {
            ofB.add(call("primary", 100.5, 104.2, 2));
            assertKept();
        }

        @Test
        void the_instance_stood_still() throws IOException {
            ofB.add(call("primary", 100.5, 104.2, 0.1));
            stall(ofB, 101, 103);
            assertKept();
        }
    }

    @Nested
    class History_is_a_chain {

        private static final String RULE = "HistoryIsAChain";

        @Test
        void one_is_missing() throws IOException {
            history.remove(0);
            assertBroken(RULE);
        }

        @Test
        void one_is_there_twice() throws IOException {
            history.add(1, history.get(0));
            assertBroken(RULE);
        }

        @Test
        void the_breaker_is_left_open() throws IOException {
            history.remove(1);
            assertBroken(RULE);
        }

        @Test
        void rows_were_lost() throws IOException {
            history.add(1, history.get(0));
            strike(Effect.STATE_LOST, 102.4, 102.5);
            assertKept();
        }
    }

    @Nested
    class Each_change_has_a_reason {

        private static final String RULE = "EachChangeHasAReason";

        @Test
        void it_opened_twice() throws IOException {
            history.add(1, new Entry("catalogue", "OPEN", "CLOSED", "PROBES", 3, at(102.5)));
            history.add(2, new Entry("catalogue", "CLOSED", "OPEN", "FAILURES", 0, at(102.6)));
            assertBroken(RULE);
        }

        @Test
        void it_never_opened() throws IOException {
            outages.set(0, new Outage(Weather.FAILING, at(101.9), at(104)));
            history.clear();
            assertBroken(RULE);
        }

        @Test
        void it_closed_while_the_provider_was_away() throws IOException {
            outages.set(0, new Outage(Weather.FAILING, at(102), at(106)));
            assertBroken(RULE);
        }

        @Test
        void it_opened_without_an_outage() throws IOException {
            outages.clear();
            assertBroken(RULE);
        }

        @Test
        void it_opened_when_the_machine_kept_calls_from_the_provider() throws IOException {
            outages.clear();
            for (int i = 0; i < 3; i++) {
                ofB.add(call("fallback", 101.5, 102.2, 0.6));
            }
            assertKept();
        }

        @Test
        void it_opened_when_two_calls_were_kept_from_the_provider() throws IOException {
            outages.clear();
            for (int i = 0; i < 2; i++) {
                ofB.add(call("fallback", 101.5, 102.2, 0.6));
            }
            assertBroken(RULE);
        }

        @Test
        void it_opened_when_the_database_was_back_and_heard_of_the_outage() throws IOException {
            outages.set(0, new Outage(Weather.FAILING, at(98), at(100.2)));
            strike(Effect.STORE_AWAY, 98, 102);
            assertKept();
        }

        @Test
        void it_opened_after_the_outage() throws IOException {
            outages.set(0, new Outage(Weather.FAILING, at(98), at(100.2)));
            assertBroken(RULE);
        }
    }

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
            assertKept();
        }
    }

    @Nested
    class No_visitor_while_open {

        private static final String RULE = "NoVisitorWhileOpen";

        @Test
        void one_came_when_everybody_must_have_known() throws IOException {
            visit("a", 104.5);
            assertBroken(RULE);
        }

        @Test
        void one_came_while_the_copy_may_have_been_old() throws IOException {
            visit("a", 103.9);
            assertKept();
        }

        @Test
        void one_came_before_and_stayed() throws IOException {
            requests.add(new Request("catalogue", "late", "a", at(102.2), at(102.2), at(104.5), 200));
            assertKept();
        }

        @Test
        void one_came_when_it_had_closed() throws IOException {
            visit("a", 105.2);
            assertKept();
        }

        @Test
        void the_instance_had_no_database() throws IOException {
            visit("a", 104.5);
            loseTheStore(ofA, 104.4, 104.6);
            assertKept();
        }

        @Test
        void the_instance_stood_still() throws IOException {
            visit("a", 104.5);
            stall(ofA, 103, 104.4);
            assertKept();
        }
    }

    @Nested
    class Few_pay_for_an_outage {

        private static final String RULE = "FewPayForAnOutage";

        private void visits(int number) {
            for (int i = 0; i < number; i++) {
                visit("b", 102.1);
            }
        }

        @Test
        void as_many_as_the_threshold_says_and_those_who_are_there() throws IOException {
            visits(8);
            assertKept();
        }

        @Test
        void one_more() throws IOException {
            visits(9);
            assertBroken(RULE);
        }

        @Test
        void one_more_when_the_store_went_away() throws IOException {
            visits(9);
            loseTheStore(ofB, 102.2, 110);
            assertKept();
        }
    }

    @Nested
    class Each_failure_counts_once {

        private static final String RULE = "EachFailureCountsOnce";

        @Test
        void one_was_lost() throws IOException {
            ledger = new Ledger(7, 8, 12);
            assertBroken(RULE);
        }

        @Test
        void one_was_counted_twice() throws IOException {
            ledger = new Ledger(13, 8, 12);
            assertBroken(RULE);
        }

        @Test
        void nobody_could_find_out_whether_a_write_lasts() throws IOException {
            ledger = new Ledger(7, 8, 12);
            strike(Effect.WRITE_IN_DOUBT, 102, 103);
            assertKept();
        }

        @Test
        void rows_were_lost() throws IOException {
            ledger = new Ledger(0, 8, 12);
            strike(Effect.STATE_LOST, 102, 103);
            assertKept();
        }
    }

    @Nested
    class Each_change_is_told_once {

        private static final String RULE = "EachChangeIsToldOnce";

        @Test
        void it_was_told_by_two() throws IOException {
            ofB.add("transition catalogue OPEN " + at(102.4));
            assertBroken(RULE);
        }

        @Test
        void it_was_told_by_two_while_a_third_was_starting() throws IOException {
            lives.set(0, new Life("a", at(101), 0));
            ofA.set(0, "store up " + at(102));
            ofB.add("transition catalogue CLOSED " + at(105.3));
            assertBroken(RULE);
        }

        @Test
        void it_was_told_by_none() throws IOException {
            ofB.removeIf(line -> line.startsWith("transition"));
            assertBroken(RULE);
        }

        @Test
        void whoever_made_it_died() throws IOException {
            ofB.removeIf(line -> line.startsWith("transition"));
            strike(Effect.INSTANCE_DIES, 105, 105.2);
            assertKept();
        }

        @Test
        void one_had_no_database_and_opened_for_itself() throws IOException {
            ofB.add("transition catalogue OPEN " + at(102.4));
            loseTheStore(ofB, 102.3, 102.6);
            assertKept();
        }
    }
}
