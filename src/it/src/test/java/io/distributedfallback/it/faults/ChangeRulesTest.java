package io.distributedfallback.it.faults;

import io.distributedfallback.it.faults.Records.Entry;
import io.distributedfallback.it.faults.Records.Life;
import io.distributedfallback.it.faults.Records.Outage;
import io.distributedfallback.it.faults.Records.Request;
import io.distributedfallback.it.faults.Records.Weather;
import java.io.IOException;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;

/** Of what changes breakers, and who is told. */
class ChangeRulesTest extends RuleTest {

    @Test
    void a_round_in_which_all_went_well_breaks_none() throws IOException {
        assertKept();
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
            loseTheStore(ofA, 98.5, 102.1);
            assertKept();
        }

        /** Its opening follows upon calls that timed out, but these waited for the provider that was away. */
        @Test
        void it_opened_again_after_an_outage_that_had_hung() throws IOException {
            outages.set(0, new Outage(Weather.HANGING, at(98.6), at(100.2)));
            for (int i = 0; i < 3; i++) {
                ofB.add(call("fallback", 100.1, 100.7, 0.6));
            }
            assertBroken(RULE);
        }

        @Test
        void it_never_opened_though_the_database_was_back_in_time() throws IOException {
            outages.set(0, new Outage(Weather.FAILING, at(101), at(105)));
            history.clear();
            strike(Effect.STORE_AWAY, 101, 102);
            loseTheStore(ofA, 101.5, 102.4);
            assertBroken(RULE);
        }

        @Test
        void it_never_opened_and_the_database_was_not_back_in_time() throws IOException {
            outages.set(0, new Outage(Weather.FAILING, at(101), at(104)));
            history.clear();
            ofA.removeIf(line -> line.startsWith("transition"));
            ofB.removeIf(line -> line.startsWith("transition"));
            requests.removeIf(Request::isProbe);
            strike(Effect.STORE_AWAY, 101, 102);
            loseTheStore(ofA, 101.5, 102.4);
            assertKept();
        }

        @Test
        void it_opened_after_the_outage() throws IOException {
            outages.set(0, new Outage(Weather.FAILING, at(98), at(100.2)));
            assertBroken(RULE);
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
            ofA.set(1, "store up " + at(102));
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
            lives.set(1, new Life("b", at(50), at(105.15)));
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

    @Nested
    class What_is_told_lasts {

        private static final String RULE = "WhatIsToldLasts";

        @Test
        void it_is_not_in_the_history() throws IOException {
            ofA.add("transition catalogue CLOSED " + at(102.5));
            assertBroken(RULE);
        }

        @Test
        void it_was_changed_in_memory() throws IOException {
            ofA.add("transition catalogue CLOSED " + at(103));
            loseTheStore(ofA, 102.9, 103.1);
            assertKept();
        }
    }
}
