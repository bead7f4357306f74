package io.distributedfallback.it.faults;

import io.distributedfallback.it.faults.Records.Request;
import java.io.IOException;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;

/** Of visitors. */
class VisitorRulesTest extends RuleTest {

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
}
