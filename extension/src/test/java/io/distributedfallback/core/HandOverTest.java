package io.distributedfallback.core;

import io.distributedfallback.BreakerState;
import io.distributedfallback.Classification;
import io.distributedfallback.FailureKind;
import io.distributedfallback.OperatorCommand;
import io.distributedfallback.OperatorCommand.Action;
import io.distributedfallback.Recovery;
import io.distributedfallback.RetryAfter;
import io.distributedfallback.core.Cluster.Instance;
import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.RejectedExecutionException;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/** What an instance has found out alone, while the store was away, and what becomes of it when the store is back. */
class HandOverTest {

    private static final Duration LONG_TIME = Duration.ofMinutes(10);

    private final Cluster cluster = new Cluster();
    private final Instance one = cluster.instance();
    private final Instance other = cluster.instance();

    /** The store goes away, and the provider with it. */
    private void loseBoth() throws Exception {
        one.visit();
        other.visit();
        cluster.store.goAway();
        cluster.open(one);
    }

    /** Nothing but visitors of one instance, who get the fallback and wake probes, every 5 seconds. */
    private void visitFor(Duration time) throws Exception {
        for (long second = 0; second < time.toSeconds(); second += 5) {
            cluster.time.passSeconds(5);
            one.visit();
        }
    }

    private void comeBack() {
        cluster.store.comeBack();
        cluster.time.pass(StoreHealth.LONGEST_BACK_OFF);
        one.breakers.readAhead();
    }

    /** Another instance sees a failure. */
    private void othersFail() {
        cluster.store.record(Cluster.RAWG, Evidence.of(Failures.one(FailureKind.OUTAGE, "HTTP 500")), cluster.policy);
    }

    private void othersOpenAndClose() {
        for (int i = 0; i < cluster.policy.failureThreshold(); i++) {
            othersFail();
        }
        assertThat(stored().isOpen()).isTrue();
        cluster.store.command(Cluster.RAWG, new OperatorCommand(Action.RESET, "ann", "it is well", Optional.empty()));
    }

    private BreakerRow stored() {
        return cluster.store.readAll().stream().findFirst().orElseGet(() -> BreakerRow.absent(Cluster.RAWG));
    }

    @Nested
    class OfAnOpenBreaker {

        @Test
        void what_its_last_failed_probe_confirms_opens_it_for_all_and_no_visitor_pays_again() throws Exception { // C4
            loseBoth();
            visitFor(LONG_TIME);
            int before = cluster.provider.visitors;
            assertThat(cluster.provider.probes).isGreaterThan(10);
            cluster.store.comeBack();
            visitFor(StoreHealth.LONGEST_BACK_OFF);
            assertThat(stored().isOpen()).isTrue();
            assertThat(stored().standing().consecutiveFailures()).isEqualTo(cluster.policy.failureThreshold());
            assertThat(other.visit()).isEqualTo("fallback");
            assertThat(cluster.provider.visitors).isEqualTo(before);
        }

        @Test
        void it_needs_no_visitor_for_that_only_a_read() throws Exception {
            loseBoth();
            cluster.store.comeBack();
            cluster.time.passSeconds(3);
            one.breakers.readAhead();
            assertThat(stored().isOpen()).isTrue();
            assertThat(one.breaker.isOpen()).isTrue();
        }

        @Test
        void failures_on_both_sides_of_its_age_go_together_if_they_opened_it() throws Exception {
            one.visit();
            cluster.store.goAway();
            cluster.provider.down();
            one.visit();
            cluster.time.passSeconds(14);
            one.visit();
            cluster.time.passSeconds(14);
            one.visit(); // opens
            cluster.store.comeBack();
            cluster.time.passSeconds(16);
            one.breakers.readAhead();
            assertThat(stored().isOpen()).isTrue();
        }

        @Test
        void with_no_probe_for_longer_than_the_copy_may_be_old_nothing_opens() throws Exception { // C5
            loseBoth();
            cluster.time.pass(Duration.ofHours(1));
            cluster.store.comeBack();
            one.breakers.readAhead();
            assertThat(stored().isOpen()).isFalse();
            assertThat(stored().standing().consecutiveFailures()).isZero();
            cluster.provider.up();
            assertThat(one.visit()).isEqualTo("primary");
        }

        @Test
        void nothing_old_goes_along_with_a_call_that_ends_in_the_moment_of_the_return() throws Exception { // C5
            loseBoth();
            cluster.time.pass(Duration.ofHours(1));
            cluster.store.comeBack();
            cluster.whenBack = () -> one.breaker.outcomes().succeed();
            one.breakers.readAhead();
            assertThat(cluster.told).endsWith("back");
            assertThat(stored().isOpen()).isFalse();
        }

        @Test
        void probes_that_are_rare_confirm_all_the_same() throws Exception {
            cluster.policy = new PolicyBuilder()
                    .recovery(Recovery.PROBE)
                    .probeInterval(Duration.ofMinutes(5))
                    .build();
            loseBoth();
            for (int i = 0; i < 3; i++) {
                cluster.passInterval();
                one.visit();
            }
            comeBack();
            assertThat(stored().isOpen()).isTrue();
        }

        @Test
        void a_probe_that_learnt_nothing_confirms_nothing() throws Exception {
            loseBoth();
            cluster.provider.failure = new RejectedExecutionException("our own queue is full");
            visitFor(LONG_TIME);
            comeBack();
            assertThat(stored().isOpen()).isFalse();
        }

        @Test
        void what_its_own_probes_have_closed_is_handed_over_no_more() throws Exception {
            cluster.policy = new PolicyBuilder()
                    .recovery(Recovery.PROBE)
                    .probeInterval(Duration.ofSeconds(5))
                    .build();
            cluster.chance = () -> 0; // the shortest back-off
            loseBoth();
            cluster.provider.up();
            visitFor(Duration.ofSeconds(20));
            assertThat(one.breaker.isOpen()).isFalse();
            cluster.store.comeBack();
            cluster.time.passSeconds(9);
            one.breakers.readAhead();
            assertThat(cluster.told).endsWith("back");
            assertThat(stored().isOpen()).isFalse();
            assertThat(stored().standing().consecutiveFailures()).isZero();
        }

        @Test
        void an_open_row_keeps_the_time_of_its_opening_and_of_its_next_probe() throws Exception {
            loseBoth();
            cluster.store.comeBack();
            cluster.open(other);
            BreakerRow before = stored();
            comeBack();
            assertThat(stored().standing()).isEqualTo(before.standing());
            assertThat(stored().version()).isEqualTo(before.version());
        }

        @Test
        void a_row_that_an_operator_forced_stays_forced() throws Exception {
            loseBoth();
            cluster.store.comeBack();
            other.breaker.command(new OperatorCommand(Action.FORCE_CLOSED, "ann", "a test", Optional.empty()));
            comeBack();
            assertThat(stored().holds().override()).isPresent();
            cluster.provider.up();
            assertThat(one.visit()).isEqualTo("primary");
        }

        @Test
        void two_instances_open_it_once() throws Exception {
            loseBoth();
            cluster.open(other);
            cluster.transitions.clear();
            comeBack();
            other.breakers.readAhead();
            assertThat(cluster.transitions)
                    .singleElement()
                    .satisfies(made -> assertThat(made.to()).isEqualTo(BreakerState.OPEN));
        }

        @Test
        void what_has_closed_since_is_not_opened_again() throws Exception {
            loseBoth();
            cluster.store.comeBack();
            cluster.time.passSeconds(1);
            othersOpenAndClose();
            cluster.time.passSeconds(2);

            one.breakers.readAhead();

            assertThat(stored().isOpen()).isFalse();
            assertThat(stored().standing().consecutiveFailures()).isZero();
            assertThat(one.breaker.isOpen()).isFalse();
        }

        @Test
        void with_a_quorum_each_speaks_for_itself_alone() throws Exception {
            cluster.policy =
                    new PolicyBuilder().recovery(Recovery.PROBE).quorum(2).build();
            loseBoth();
            comeBack();
            assertThat(stored().isOpen()).isFalse();
            assertThat(one.breaker.status().alone()).isTrue();
        }

        @Test
        void a_store_that_is_lost_again_before_it_could_be_told_costs_nothing() throws Exception {
            loseBoth();
            cluster.store.comeBack();
            cluster.store.beforeNextRead(cluster.store::goAway);
            cluster.time.passSeconds(3);
            one.breakers.readAhead(); // back, and lost with the write that hands over
            assertThat(cluster.told).endsWith("back", "lost DFB302");
            assertThat(one.breaker.isOpen()).as("by the new stand-in").isTrue();
            cluster.store.comeBack();
            cluster.time.passSeconds(5);
            one.breakers.readAhead();
            assertThat(stored().isOpen()).isTrue();
            assertThat(stored().standing().consecutiveFailures()).isEqualTo(cluster.policy.failureThreshold());
        }
    }

    @Test
    void what_is_void_stays_void_when_something_older_comes_back() {
        Evidence failure = Evidence.of(Failures.one(FailureKind.OUTAGE, "HTTP 503"));
        Backlog older = new Backlog(Duration.ofSeconds(30).toNanos());
        older.voidEvidence(100);
        older.add(failure, 150, 160);
        Backlog keeper = new Backlog(Duration.ofSeconds(30).toNanos());
        keeper.voidEvidence(200);
        keeper.addFirst(older);
        keeper.add(failure, 190, 210);
        keeper.addLast(new Backlog(1));
        assertThat(keeper.hasFailures()).isFalse();
    }

    @Nested
    class HeldAgainstAClosing {

        /** One instance sees some failures, and is cut off while the others have the store. */
        private void failCutOff(int failures) throws Exception {
            cluster.chance = () -> 0.99; // the longest back-off
            one.visit();
            cluster.store.goAway();
            cluster.provider.down();
            for (int i = 0; i < failures; i++) {
                one.visit();
            }
            cluster.store.comeBack();
            cluster.time.pass(Duration.ofMillis(300));
        }

        private void findTheStore() {
            cluster.time.passSeconds(2);
            one.breakers.readAhead();
            assertThat(cluster.told).endsWith("back");
        }

        @Test
        void a_later_success_makes_failures_no_younger() throws Exception {
            failCutOff(2);
            othersOpenAndClose();
            cluster.provider.up();
            cluster.time.pass(Duration.ofMillis(1_300));
            one.visit();
            othersFail();
            findTheStore();
            assertThat(stored().isOpen()).isFalse();
            assertThat(stored().standing().consecutiveFailures()).isEqualTo(1);
        }

        @Test
        void nor_does_a_success_soon_after_them() throws Exception {
            failCutOff(2);
            othersOpenAndClose();
            cluster.provider.up();
            cluster.time.pass(Duration.ofMillis(300));
            one.visit();
            othersFail();
            findTheStore();
            assertThat(stored().isOpen()).isFalse();
            assertThat(stored().standing().consecutiveFailures()).isEqualTo(1);
        }

        @Test
        void a_failure_after_it_counts_however_soon_it_came() throws Exception {
            failCutOff(1);
            othersOpenAndClose();
            cluster.time.pass(Duration.ofMillis(300));
            one.visit();
            findTheStore();
            assertThat(stored().standing().consecutiveFailures()).isEqualTo(2);
        }
    }

    @Nested
    class OfCallsThatEndLate {

        /** One call begins before the breaker opens alone, and ends after half a minute and more. */
        private void succeedLate() throws Exception {
            cluster.policy = new PolicyBuilder()
                    .recovery(Recovery.PROBE)
                    .probeInterval(Duration.ofMinutes(5))
                    .build();
            one.visit();
            cluster.store.goAway();
            one.call(() -> {
                cluster.open(one);
                cluster.time.passSeconds(35);
                return "primary";
            });
            assertThat(one.breaker.isOpen()).isTrue();
        }

        @Test
        void what_its_own_probes_have_closed_is_opened_for_nobody_by_those_that_hung_until_the_store_was_back()
                throws Exception {
            cluster.policy = new PolicyBuilder()
                    .recovery(Recovery.PROBE)
                    .probeInterval(Duration.ofSeconds(5))
                    .probeSuccesses(1)
                    .build();
            one.visit();
            one.hang(10, () -> {
                cluster.store.goAway();
                cluster.open(one);
                cluster.provider.up();
                visitFor(Duration.ofSeconds(10));
                assertThat(one.breaker.isOpen()).isFalse();
                comeBack();
            });
            assertThat(cluster.told).endsWith("back");
            assertThat(stored().isOpen()).isFalse();
            assertThat(stored().standing().consecutiveFailures()).isZero();
        }

        @Test
        void a_success_takes_nothing_from_what_opened_it() throws Exception {
            succeedLate();
            cluster.passInterval();
            one.visit(); // a probe fails
            comeBack();
            assertThat(stored().isOpen()).isTrue();
        }
    }

    @Nested
    class OfAWriteThatHangs {

        /** The write of a failure hangs. Meanwhile the breaker opens alone, and its own probes close it. */
        private void hangUntilItHasClosedAlone(Runnable end) throws Exception {
            cluster.policy = new PolicyBuilder()
                    .recovery(Recovery.PROBE)
                    .probeInterval(Duration.ofSeconds(5))
                    .probeSuccesses(1)
                    .build();
            cluster.chance = () -> 0; // the shortest back-off
            one.visit();
            cluster.provider.down();
            cluster.store.beforeNextWrite(() -> {
                openAndCloseAlone();
                end.run();
            });
            one.visit();
        }

        private void openAndCloseAlone() {
            cluster.store.goAway();
            cluster.time.passSeconds(3);
            one.breakers.readAhead();
            try {
                cluster.open(one);
                assertThat(one.breaker.isOpen()).isTrue();
                cluster.provider.up();
                visitFor(Duration.ofSeconds(10));
            } catch (Exception e) {
                throw new AssertionError(e);
            }
            assertThat(one.breaker.isOpen()).isFalse();
        }

        private void assertNothingIsHandedOver() {
            cluster.store.comeBack();
            cluster.time.passSeconds(8); // the failure is not too old yet
            one.breakers.readAhead();
            assertThat(cluster.told).endsWith("back");
            assertThat(stored().standing().consecutiveFailures()).isZero();
        }

        @Test
        void and_fails_nothing_is_handed_over_that_its_probes_have_closed_since() throws Exception {
            hangUntilItHasClosedAlone(() -> {});
            assertNothingIsHandedOver();
        }

        @Test
        void and_ends_in_doubt_nothing_is_either() throws Exception {
            hangUntilItHasClosedAlone(() -> {
                cluster.store.comeBack();
                cluster.store.loseNextWrite();
            });
            assertNothingIsHandedOver();
        }

        @Test
        void for_long_makes_its_failures_no_younger() throws Exception {
            one.visit();
            cluster.provider.down();
            cluster.store.beforeNextWrite(() -> {
                cluster.store.goAway();
                cluster.time.passSeconds(3);
                one.breakers.readAhead();
                try {
                    cluster.open(one);
                } catch (Exception e) {
                    throw new AssertionError(e);
                }
                cluster.time.pass(Duration.ofMinutes(10));
            });
            one.visit();
            cluster.store.comeBack();
            one.breakers.readAhead();
            assertThat(cluster.told).endsWith("back");
            assertThat(stored().standing().consecutiveFailures()).isZero();
        }
    }

    @Nested
    class ToTheNextStandIn {

        private void findTheStore() {
            cluster.store.comeBack();
            cluster.time.passSeconds(5);
            one.breakers.readAhead();
        }

        @Test
        void all_is_told_if_there_is_no_thread_to_hand_it_over() throws Exception {
            loseBoth();
            cluster.store.comeBack();
            cluster.whenBack = () -> cluster.time.reject(true);
            cluster.time.passSeconds(3);
            one.breakers.readAhead();
            cluster.whenBack = () -> {};
            cluster.time.reject(false);
            assertThat(cluster.told).contains("back").last().asString().startsWith("lost");
            assertThat(one.breaker.isOpen()).isTrue();
            findTheStore();
            assertThat(stored().isOpen()).isTrue();
            assertThat(stored().standing().consecutiveFailures()).isEqualTo(cluster.policy.failureThreshold());
        }

        @Test
        void each_breaker_tells_all_though_only_one_finds_out_that_the_store_is_lost_again() throws Exception {
            cluster.policy = Policy.DEFAULT;
            CircuitBreaker second = one.breakers.get("second");
            loseBoth();
            for (int i = 0; i < cluster.policy.failureThreshold(); i++) {
                second.call(Cluster::fail, () -> "fallback");
            }
            cluster.store.comeBack();
            cluster.store.beforeNextRead(cluster.store::goAway);
            cluster.time.passSeconds(3);
            one.breakers.readAhead(); // back, and lost with the first write that hands over
            assertThat(cluster.told).endsWith("back", "lost DFB302");
            assertThat(one.breaker.isOpen()).isTrue();
            assertThat(second.isOpen()).isTrue();
            findTheStore();
            assertThat(cluster.store.readAll())
                    .hasSize(2)
                    .allMatch(BreakerRow::isOpen)
                    .allMatch(row -> row.standing().consecutiveFailures() == cluster.policy.failureThreshold());
        }

        @Test
        void so_is_what_was_in_doubt_and_had_not_been_written_after_all() throws Exception {
            one.visit();
            cluster.provider.down();
            one.visit();
            one.visit();
            cluster.store.loseNextWrite();
            one.visit();
            assertThat(one.breaker.isOpen()).isTrue();
            cluster.time.passSeconds(3);
            cluster.store.beforeNextWrite(cluster.store::goAway);
            one.breakers.readAhead(); // back, not written, and lost with the write that would
            assertThat(cluster.told).endsWith("back", "lost DFB302");
            assertThat(one.breaker.isOpen()).isTrue();
            findTheStore();
            assertThat(stored().standing().consecutiveFailures()).isEqualTo(3);
        }
    }

    @Nested
    class OfPauses {

        @Test
        void one_with_an_end_far_ahead_lasts_no_longer_because_the_store_was_away() throws Exception {
            one.visit();
            cluster.store.goAway();
            throttle(new RetryAfter.At(Instant.parse("9999-12-31T23:59:59Z")));
            cluster.time.pass(Duration.ofMinutes(50));
            comeBack();
            assertThat(stored().holds().cooldownLeft())
                    .isEqualTo(cluster.policy
                            .maxCooldown()
                            .minus(Duration.ofMinutes(50))
                            .minus(StoreHealth.LONGEST_BACK_OFF));
        }

        private void throttle(RetryAfter asked) throws Exception {
            throttle(asked, () -> {});
        }

        private void throttle(RetryAfter asked, Cluster.Incident meanwhile) throws Exception {
            FailureRules throttled = FailureRules.forAll(
                    Cluster.RAWG,
                    List.of(failure -> Optional.of(Classification.throttled(asked))),
                    new BreakerListener() {});
            one.call(
                    () -> {
                        meanwhile.happen();
                        throw new IOException("HTTP 429");
                    },
                    failure -> "fallback",
                    throttled);
        }

        @Test
        void what_is_left_of_one_goes_along() throws Exception {
            one.visit();
            cluster.store.goAway();
            throttle(new RetryAfter.In(Duration.ofMinutes(10)));
            cluster.time.pass(Duration.ofMinutes(4));
            comeBack();
            Duration left = stored().holds().cooldownLeft();
            assertThat(left).isEqualTo(Duration.ofMinutes(6).minus(StoreHealth.LONGEST_BACK_OFF));
        }

        @Test
        void one_with_an_end_goes_along_with_that_end() throws Exception {
            one.visit();
            cluster.store.goAway();
            Instant end = Instant.parse("2026-01-01T00:20:00Z");
            throttle(new RetryAfter.At(end));
            cluster.time.pass(Duration.ofMinutes(4));
            comeBack();
            assertThat(stored().holds().cooldownLeft())
                    .isEqualTo(Duration.ofMinutes(16).minus(StoreHealth.LONGEST_BACK_OFF));
        }

        @Test
        void the_one_that_ends_last_goes_along() throws Exception {
            one.visit();
            cluster.store.goAway();
            throttle(new RetryAfter.In(Duration.ofMinutes(7)), () -> {
                throttle(new RetryAfter.In(Duration.ofMinutes(10)));
                cluster.time.pass(Duration.ofMinutes(5));
            });
            comeBack();
            assertThat(stored().holds().cooldownLeft())
                    .isEqualTo(Duration.ofMinutes(7).minus(StoreHealth.LONGEST_BACK_OFF));
        }

        @Test
        void what_is_over_stays_over() throws Exception {
            one.visit();
            cluster.store.goAway();
            throttle(new RetryAfter.In(Duration.ofSeconds(20)));
            int before = cluster.store.writes();
            comeBack();
            assertThat(cluster.store.writes()).isEqualTo(before);
        }

        @Test
        void a_longer_one_in_the_store_is_not_cut() throws Exception {
            one.visit();
            other.visit();
            cluster.store.goAway();
            throttle(new RetryAfter.In(Duration.ofMinutes(2)));
            cluster.store.comeBack();
            cluster.store.coolDown(
                    Cluster.RAWG,
                    Optional.of(new RetryAfter.In(Duration.ofMinutes(50))),
                    Failures.one(FailureKind.THROTTLED, "HTTP 429"),
                    cluster.policy);
            comeBack();
            assertThat(stored().holds().cooldownLeft()).isGreaterThan(Duration.ofMinutes(49));
        }

        @Test
        void it_is_handed_over_once() throws Exception {
            one.visit();
            cluster.store.goAway();
            throttle(new RetryAfter.In(Duration.ofMinutes(10)));
            comeBack();
            int before = cluster.store.writes();
            cluster.time.passSeconds(3);
            one.breakers.readAhead();
            assertThat(cluster.store.writes()).isEqualTo(before);
        }
    }

    @Nested
    class Told {

        @Test
        void how_long_the_store_was_away_and_how_much_is_handed_over() throws Exception {
            one.visit();
            cluster.store.goAway();
            cluster.provider.down();
            one.visit();
            one.visit();
            cluster.store.comeBack();
            cluster.time.passSeconds(20);
            one.breakers.readAhead();
            assertThat(cluster.returns).containsExactly(new Cluster.Return(Duration.ofSeconds(20), 2));
        }

        @Test
        void the_status_says_why_and_for_how_long() throws Exception {
            one.visit();
            assertThat(one.breakers.copy().loss()).isEmpty();
            cluster.store.goAway();
            cluster.provider.down();
            one.visit();
            cluster.time.passSeconds(100);
            assertThat(one.breakers.copy().loss()).hasValueSatisfying(loss -> {
                assertThat(loss.code()).isEqualTo("DFB302");
                assertThat(loss.away()).isEqualTo(Duration.ofSeconds(100));
                assertThat(loss.reason()).contains("the store");
            });
            comeBack();
            assertThat(one.breakers.copy().loss()).isEmpty();
            assertThat(one.breakers.copy().storeUp()).isTrue();
        }
    }
}
