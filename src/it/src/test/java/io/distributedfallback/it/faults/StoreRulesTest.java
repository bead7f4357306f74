package io.distributedfallback.it.faults;

import io.distributedfallback.it.faults.Records.Ledger;
import io.distributedfallback.it.faults.Records.Strike;
import java.io.IOException;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;

/** Of the store: its loss, its return, and what it counts. */
class StoreRulesTest extends RuleTest {

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
    class Each_loss_is_logged_once {

        private static final String RULE = "EachLossIsLoggedOnce";

        @Test
        void it_is() throws IOException {
            loseTheStore(ofA, 101, 102);
            assertKept();
        }

        @Test
        void it_was_logged_by_nobody() throws IOException {
            loseTheStore(ofA, 101, 102);
            ofA.removeIf(line -> line.startsWith("log"));
            assertBroken(RULE);
        }

        @Test
        void it_was_logged_twice() throws IOException {
            loseTheStore(ofA, 101, 102);
            ofA.add(ofA.indexOf("log DFB308 " + at(102)), "log DFB305 " + at(101.5));
            assertBroken(RULE);
        }

        @Test
        void the_same_was_logged_again_too_soon() throws IOException {
            loseTheStore(ofA, 101, 102);
            ofA.add("log DFB302 " + at(300));
            assertBroken(RULE);
        }

        @Test
        void the_return_was_not_logged() throws IOException {
            loseTheStore(ofA, 101, 103);
            ofA.removeIf(line -> line.startsWith("log DFB308"));
            assertBroken(RULE);
        }

        @Test
        void a_return_was_logged_that_there_was_not() throws IOException {
            ofA.add("log DFB308 " + at(101));
            assertBroken(RULE);
        }
    }

    @Nested
    class Each_loss_is_told_once {

        private static final String RULE = "EachLossIsToldOnce";

        @Test
        void it_was_told_to_nobody() throws IOException {
            loseTheStore(ofA, 101, 102);
            ofA.removeIf(line -> line.startsWith("connection down") || line.startsWith("connection up"));
            assertBroken(RULE);
        }

        @Test
        void the_second_was_told_to_nobody() throws IOException {
            loseTheStore(ofA, 101, 102);
            ofA.add("store down " + at(103));
            ofA.add("store up " + at(104));
            assertBroken(RULE);
        }

        @Test
        void it_was_told_twice() throws IOException {
            loseTheStore(ofA, 101, 102);
            ofA.add(ofA.indexOf("connection up " + at(102)), "connection down " + at(101.5));
            assertBroken(RULE);
        }

        @Test
        void the_return_was_told_to_nobody() throws IOException {
            loseTheStore(ofA, 101, 102);
            ofA.removeIf(line -> line.startsWith("connection up"));
            assertBroken(RULE);
        }

        @Test
        void a_return_was_told_that_there_was_not() throws IOException {
            ofA.add("connection up " + at(101));
            assertBroken(RULE);
        }

        @Test
        void an_older_version_has_no_event() throws IOException {
            loseTheStore(ofA, 101, 102);
            ofA.removeIf(line -> line.startsWith("connection"));
            assertKept();
        }
    }

    @Nested
    class Store_is_found_again {

        private static final String RULE = "StoreIsFoundAgain";

        @Test
        void in_time() throws IOException {
            strike(Effect.STORE_AWAY_FOR_SOME, 101, 103);
            loseTheStore(ofA, 101.5, 110);
            assertKept();
        }

        @Test
        void too_late() throws IOException {
            strike(Effect.STORE_AWAY_FOR_SOME, 101, 103);
            loseTheStore(ofA, 101.5, 111);
            assertBroken(RULE);
        }

        @Test
        void never() throws IOException {
            strike(Effect.STORE_AWAY_FOR_SOME, 101, 103);
            ofA.addAll(List.of("connection down " + at(101.5), "log DFB302 " + at(101.5), "store down " + at(101.5)));
            assertBroken(RULE);
        }

        @Test
        void too_late_after_the_second_loss() throws IOException {
            loseTheStore(ofA, 60, 61);
            strike(Effect.STORE_AWAY_FOR_SOME, 101, 103);
            loseAgain(101.5, 113.1);
            assertBroken(RULE);
        }

        @Test
        void later_but_in_time_after_the_second_loss() throws IOException {
            loseTheStore(ofA, 60, 61);
            strike(Effect.STORE_AWAY_FOR_SOME, 101, 103);
            loseAgain(101.5, 112.4);
            assertKept();
        }

        @Test
        void later_but_in_time_after_a_loss_before_it_was_found_at_all() throws IOException {
            ofA.removeIf(line -> line.startsWith("store"));
            ofA.addAll(List.of("log DFB305 " + at(60), "connection down " + at(60)));
            ofA.addAll(List.of("store up " + at(61), "log DFB308 " + at(61), "connection up " + at(61)));
            strike(Effect.STORE_AWAY_FOR_SOME, 101, 103);
            loseAgain(101.5, 112.4);
            assertKept();
        }

        private void loseAgain(double from, double to) {
            ofA.addAll(List.of("connection down " + at(from), "store down " + at(from)));
            ofA.addAll(List.of("connection up " + at(to), "store up " + at(to)));
        }
    }

    @Nested
    class The_fault_struck {

        private static final String RULE = "TheFaultStruck";

        @Test
        void nobody_missed_the_store() throws IOException {
            strike(Effect.STORE_AWAY, 101, 104);
            assertBroken(RULE);
        }

        @Test
        void one_missed_it() throws IOException {
            strike(Effect.STORE_AWAY, 101, 104);
            loseTheStore(ofA, 102, 105);
            assertKept();
        }

        @Test
        void it_was_missed_for_another_reason_later() throws IOException {
            strike(Effect.STORE_AWAY, 101, 104);
            loseTheStore(ofA, 106.5, 107);
            assertBroken(RULE);
        }

        @Test
        void it_was_too_short_to_be_missed() throws IOException {
            strike(Effect.STORE_AWAY, 101, 103);
            assertKept();
        }

        @Test
        void nobody_died() throws IOException {
            strike(Effect.INSTANCE_DIES, 101, 104);
            assertBroken(RULE);
        }

        @Test
        void nobody_stood_still() throws IOException {
            strike(Effect.INSTANCE_STANDS_STILL, 101, 104);
            stall(ofA, 101, 101.5);
            assertBroken(RULE);
        }

        @Test
        void one_stood_still() throws IOException {
            strike(Effect.INSTANCE_STANDS_STILL, 101, 104);
            stall(ofA, 101.1, 104);
            assertKept();
        }

        @Test
        void it_said_that_it_may_pass_unnoticed() throws IOException {
            strikes.add(new Strike("a fault", Set.of(Effect.STORE_AWAY, Effect.MAY_PASS_UNNOTICED), at(101), at(104)));
            assertKept();
        }
    }
}
