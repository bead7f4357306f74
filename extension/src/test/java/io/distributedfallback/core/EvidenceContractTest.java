package io.distributedfallback.core;

import io.distributedfallback.BreakerState;
import io.distributedfallback.BreakerStatus.Window;
import io.distributedfallback.BreakerTransition;
import io.distributedfallback.FailureKind;
import io.distributedfallback.OperatorCommand;
import io.distributedfallback.OperatorCommand.Action;
import io.distributedfallback.OverrideMode;
import io.distributedfallback.RetryAfter;
import io.distributedfallback.TransitionCause;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import static org.assertj.core.api.Assertions.assertThat;

/** The part of {@link BreakerStoreContractTest} that is about {@link BreakerStore#record} and what is left behind. */
public abstract class EvidenceContractTest {

    protected static final String INSTANCE = "one";

    private static final String RAWG = "rawg";
    private static final Duration SECOND = Duration.ofSeconds(1);
    private static final Policy THREE = Policy.DEFAULT;
    private static final Policy FIVE = policy(5);
    private static final Policy NEVER = policy(1_000);

    /** Half of four calls or more, in a minute. */
    private static final Policy HALF = NEVER.toBuilder()
            .failureRatio(OptionalDouble.of(0.5))
            .minimumCalls(4)
            .build();

    private static final Policy OF_TWO = policy(3).toBuilder().quorum(2).build();

    /** An empty store of the instance {@value #INSTANCE}; the same one during a test. */
    protected abstract BreakerStore store();

    /** The same breakers as another instance uses them. */
    protected abstract BreakerStore storeOf(String instance);

    /** Lets the store's time pass. */
    protected abstract void pass(Duration time);

    /** The store's time. */
    protected abstract Instant now();

    /** An operator's word; an empty time is for ever. */
    protected final void force(String breaker, OverrideMode mode, Optional<Duration> time) {
        Action action = mode == OverrideMode.FORCED_OPEN ? Action.FORCE_OPEN : Action.FORCE_CLOSED;
        store().command(breaker, new OperatorCommand(action, "ann", "maintenance", time));
    }

    @Test
    void no_call_at_all_is_no_evidence() {
        assertThat(store().record(RAWG, Evidence.NONE, THREE)).isEmpty();
        record("F", THREE);

        assertThat(store().record(RAWG, Evidence.NONE, THREE)).isEmpty();
        assertThat(only().standing().consecutiveFailures()).isEqualTo(1);
    }

    @Test
    void the_first_run_is_added_to_what_was_counted_before() {
        record("FF", THREE);

        Change change = record("FSF", THREE);

        assertThat(change.transition())
                .hasValueSatisfying(made -> assertThat(made.cause()).isEqualTo(TransitionCause.FAILURES));
        assertThat(change.row().standing().consecutiveFailures()).isEqualTo(3);
    }

    @Test
    void after_a_success_the_last_run_is_what_is_left() {
        record("FFF", FIVE);

        Change change = record("FSFFSFF", FIVE);

        assertThat(change.transition()).isEmpty();
        assertThat(change.row().standing().consecutiveFailures()).isEqualTo(2);
        assertThat(change.row().standing().countedAgainst()).hasValue(5);
        assertThat(store().readAll()).containsExactly(change.row());
        assertThat(record("FS", FIVE).row().standing().consecutiveFailures()).isZero();
        assertThat(store().readAll()).isEmpty();
    }

    @ParameterizedTest
    @CsvSource({"FFFS, 3", "SFFFS, 3", "SFFFFSF, 4", "FSFFF, 3", "FFSFFFSFF, 3"})
    void a_run_opens_wherever_in_the_evidence_it_is(String calls, int longest) {
        Change change = record(calls, THREE);

        assertThat(change.transition())
                .contains(new BreakerTransition(
                        RAWG, BreakerState.CLOSED, BreakerState.OPEN, TransitionCause.FAILURES, INSTANCE, now()));
        assertThat(change.row().standing().consecutiveFailures()).isEqualTo(longest);
        assertThat(change.row().standing().countedAgainst()).hasValue(3);
        assertThat(change.row().recovery().untilNextProbe()).contains(THREE.probeInterval());
    }

    @Test
    void a_run_that_no_failure_of_this_write_is_in_opens_nothing() {
        record("FFFF", FIVE);

        Change change = record("SF", THREE);

        assertThat(change.transition()).isEmpty();
        assertThat(change.row().standing().consecutiveFailures()).isEqualTo(1);
    }

    @Test
    void while_open_evidence_of_both_kinds_changes_nothing() {
        Change opened = record("FFF", THREE);
        pass(SECOND);

        Change late = record("SFFFFSF", HALF);

        assertThat(late.transition()).isEmpty();
        assertThat(late.row().standing()).isEqualTo(opened.row().standing());
        assertThat(late.row().window()).isEqualTo(opened.row().window());
        assertThat(late.row().recovery().untilNextProbe()).contains(Duration.ofSeconds(14));
        assertThat(late.row().lastFailure()).isEqualTo(opened.row().lastFailure());
        assertThat(late.row().version()).isEqualTo(opened.row().version());
    }

    @Test
    void counts_stop_at_the_greatest_integer() {
        Policy most = policy(Integer.MAX_VALUE).toBuilder()
                .quorum(2)
                .failureRatio(OptionalDouble.of(1))
                .build();
        Evidence very = Evidence.of(new Failures(Integer.MAX_VALUE, FailureKind.OUTAGE, "HTTP 500"));
        store().record(RAWG, very, most);
        store().record(RAWG, very, most);

        Change change = record("SF", most);

        assertThat(change.row().window().calls()).isEqualTo(Integer.MAX_VALUE);
        assertThat(change.row().window().failures()).isEqualTo(Integer.MAX_VALUE);
        assertThat(record("F", policy(Integer.MAX_VALUE)).row().standing().consecutiveFailures())
                .isEqualTo(2);
    }

    @Test
    void a_failure_begins_a_window_and_all_calls_count_in_it_until_it_ends() {
        assertThat(record("SF", HALF).row().window()).isEqualTo(new Window(2, 1, HALF.window()));
        pass(SECOND);

        Change success = record("S", HALF);

        assertThat(success.row().window())
                .isEqualTo(new Window(3, 1, HALF.window().minus(SECOND)));
        assertThat(success.row().standing().consecutiveFailures()).isZero();
        assertThat(store().readAll()).containsExactly(success.row());
        pass(HALF.window().minus(SECOND));
        assertThat(store().readAll()).isEmpty();
        assertThat(store().record(RAWG, Evidence.SUCCESS, HALF)).isEmpty();
    }

    @Test
    void the_share_of_a_windows_calls_opens_with_the_failure_that_reaches_it() {
        record("FSS", HALF);
        pass(SECOND);

        Change change = record("F", HALF);

        assertThat(change.transition())
                .contains(new BreakerTransition(
                        RAWG, BreakerState.CLOSED, BreakerState.OPEN, TransitionCause.FAILURE_RATIO, INSTANCE, now()));
        assertThat(change.row().window()).isEqualTo(new Window(4, 2, Duration.ZERO));
        assertThat(change.row().standing().consecutiveFailures()).isEqualTo(1);
        assertThat(change.row().standing().failingInstances()).containsExactly(INSTANCE);
        assertThat(change.row().standing().openedAt()).contains(now());
        assertThat(change.row().recovery().untilNextProbe()).contains(HALF.probeInterval());
        assertThat(store().readAll()).containsExactly(change.row());
    }

    @Test
    void the_share_opens_with_a_write_whose_last_call_did_well_too() {
        Change change = record("FFSS", HALF);

        assertThat(change.transition()).isPresent();
        assertThat(change.row().standing().consecutiveFailures()).isZero();
        assertThat(change.row().standing().countedAgainst()).isEmpty();
    }

    @Test
    void successes_alone_neither_begin_a_window_nor_open() {
        assertThat(store().record(RAWG, Evidence.SUCCESS, HALF)).isEmpty();
        record("FFF", HALF);

        Change fourth = record("S", HALF);

        assertThat(fourth.transition())
                .as("three of four have failed, but not this one")
                .isEmpty();
        assertThat(record("F", HALF).transition()).isPresent();
    }

    @Test
    void with_fewer_calls_than_the_minimum_the_share_does_not_open() {
        assertThat(record("FFF", HALF).transition()).isEmpty();
        assertThat(record("F", HALF).transition()).isPresent();
    }

    @ParameterizedTest
    @CsvSource({
        "0.07, 7, 100, true",
        "0.07, 6, 100, false",
        "0.1, 3, 30, true",
        "0.3, 3, 10, true",
        "1, 9, 10, false",
        "0.6, 3, 5, true"
    })
    void the_share_is_exact(double ratio, int failures, int calls, boolean opens) {
        Policy policy = NEVER.toBuilder()
                .failureRatio(OptionalDouble.of(ratio))
                .minimumCalls(5)
                .build();
        Evidence evidence = Evidence.successes(calls - failures)
                .then(Evidence.of(new Failures(failures, FailureKind.OUTAGE, "HTTP 500")));

        assertThat(store().record(RAWG, evidence, policy)
                        .orElseThrow()
                        .transition()
                        .isPresent())
                .isEqualTo(opens);
    }

    @Test
    void when_a_window_has_ended_the_next_failure_begins_one_from_zero() {
        record("FFF", HALF);
        pass(HALF.window());

        Change next = record("F", HALF.toBuilder().window(SECOND).build());

        assertThat(next.transition()).isEmpty();
        assertThat(next.row().window()).isEqualTo(new Window(1, 1, SECOND));
        assertThat(next.row().standing().consecutiveFailures())
                .as("a row of failures knows no window")
                .isEqualTo(4);
    }

    @Test
    void a_window_lasts_as_the_policy_says_that_began_it() {
        record("F", HALF);

        assertThat(record("F", HALF.toBuilder().window(SECOND).build())
                        .row()
                        .window()
                        .left())
                .isEqualTo(HALF.window());
    }

    @Test
    void a_policy_without_a_ratio_begins_no_window_counts_in_that_of_others_and_does_not_open_by_it() {
        assertThat(record("F", NEVER).row().window()).isEqualTo(Window.NONE);
        record("F", HALF);

        Change other = record("FFF", NEVER);

        assertThat(other.row().window()).isEqualTo(new Window(4, 4, HALF.window()));
        assertThat(other.transition()).isEmpty();
        assertThat(record("S", NEVER).row().window().calls()).isEqualTo(5);
        assertThat(record("F", HALF).transition()).isPresent();
    }

    @Test
    void the_threshold_is_the_cause_if_both_are_reached() {
        Change change = record("FFFF", HALF.toBuilder().failureThreshold(4).build());

        assertThat(change.transition())
                .hasValueSatisfying(made -> assertThat(made.cause()).isEqualTo(TransitionCause.FAILURES));
    }

    @Test
    void one_sick_instance_opens_nothing_if_the_quorum_is_two() {
        Change change = record("FFFFFFFF", OF_TWO);

        assertThat(change.transition()).isEmpty();
        assertThat(change.row().standing().consecutiveFailures()).isEqualTo(8);
        assertThat(change.row().standing().failingInstances()).containsExactly(INSTANCE);
        assertThat(recordBy("two", "F", OF_TWO).transition())
                .hasValueSatisfying(made -> assertThat(made.instance()).isEqualTo("two"));
        assertThat(only().standing().failingInstances()).containsExactlyInAnyOrder(INSTANCE, "two");
    }

    @Test
    void the_quorum_holds_for_the_share_as_well() {
        Policy halfOfTwo = HALF.toBuilder().quorum(2).build();
        assertThat(record("FFFF", halfOfTwo).transition()).isEmpty();

        Change change = recordBy("two", "SF", halfOfTwo);

        assertThat(change.transition())
                .hasValueSatisfying(made -> assertThat(made.cause()).isEqualTo(TransitionCause.FAILURE_RATIO));
        assertThat(change.row().standing().failingInstances()).containsExactlyInAnyOrder(INSTANCE, "two");
    }

    @Test
    void instances_are_forgotten_with_the_row_of_failures_that_a_success_ends() {
        record("FF", OF_TWO);
        assertThat(recordBy("two", "S", OF_TWO).row().standing().failingInstances())
                .isEmpty();

        assertThat(recordBy("two", "FFFF", OF_TWO).transition()).isEmpty();
        assertThat(only().standing().failingInstances()).containsExactly("two");
    }

    @Test
    void a_success_between_two_failures_of_one_write_ends_the_row_of_failures_too() {
        record("FF", OF_TWO);

        Change change = recordBy("two", "SFFFF", OF_TWO);

        assertThat(change.transition())
                .as("of this row of failures only one instance knows")
                .isEmpty();
        assertThat(change.row().standing().failingInstances()).containsExactly("two");
        assertThat(recordBy("two", "FSF", OF_TWO).transition()).isEmpty();
    }

    @Test
    void while_a_window_is_under_way_its_instances_are_kept_and_when_it_has_ended_they_are_forgotten() {
        Policy halfOfTwo = HALF.toBuilder().quorum(2).minimumCalls(100).build();
        record("F", halfOfTwo);
        assertThat(record("S", halfOfTwo).row().standing().failingInstances()).containsExactly(INSTANCE);
        pass(HALF.window());

        assertThat(recordBy("two", "FFFF", OF_TWO).transition()).isEmpty();
        assertThat(only().standing().failingInstances()).containsExactly("two");
    }

    @Test
    void sixteen_instances_are_kept_or_as_many_as_the_quorum() {
        Policy ofTwenty = NEVER.toBuilder().quorum(20).build();
        IntStream.range(0, 18).forEach(i -> recordBy("i" + i, "F", NEVER));
        assertThat(only().standing().failingInstances()).hasSize(16).contains("i0", "i15");

        IntStream.range(16, 24).forEach(i -> recordBy("i" + i, "F", ofTwenty));

        assertThat(only().standing().failingInstances()).hasSize(20).contains("i0", "i19");
        assertThat(recordBy("i30", "F", ofTwenty.toBuilder().failureThreshold(1).build())
                        .transition())
                .isPresent();
    }

    @Test
    void closing_forgets_the_window_and_the_instances() {
        record("FFSS", HALF);
        pass(HALF.probeInterval());
        long token =
                store().acquireProbe(RAWG, HALF).orElseThrow().row().recovery().token();

        Change closed =
                store().reportProbe(RAWG, token, ProbeVerdict.PASS, HALF).orElseThrow();

        assertThat(closed.row().window()).isEqualTo(Window.NONE);
        assertThat(closed.row().standing().failingInstances()).isEmpty();
        assertThat(record("F", HALF).row().window()).isEqualTo(new Window(1, 1, HALF.window()));
    }

    @Test
    void retires_what_nobody_has_changed_for_so_long_whatever_it_counted() {
        record("FF", THREE);
        pass(Duration.ofHours(1).minusSeconds(1));
        assertThat(store().retire(Duration.ofHours(1))).isZero();
        pass(SECOND);

        assertThat(store().retire(Duration.ofHours(1))).isEqualTo(1);

        assertThat(store().readAll()).isEmpty();
        assertThat(record("F", THREE).row().standing().consecutiveFailures()).isEqualTo(1);
    }

    @Test
    void a_row_that_is_retired_and_made_again_has_a_greater_version() {
        long before = record("F", THREE).row().version();
        pass(SECOND);
        store().retire(SECOND);

        assertThat(record("F", THREE).row().version()).isGreaterThan(before);
    }

    @Test
    void a_change_begins_the_time_anew() {
        record("F", THREE);
        pass(SECOND);
        record("S", THREE);

        assertThat(store().retire(SECOND)).isZero();
        pass(SECOND);
        assertThat(store().retire(SECOND)).isEqualTo(1);
    }

    @Test
    void what_is_open_paused_or_forced_is_never_retired() {
        record("FFF", THREE);
        Failures throttled = Failures.one(FailureKind.THROTTLED, "HTTP 429");
        store().coolDown("jikan", Optional.of(new RetryAfter.In(Duration.ofMinutes(2))), throttled, THREE);
        store().record("igdb", evidence("F"), THREE);
        force("igdb", OverrideMode.FORCED_CLOSED, Optional.of(Duration.ofMinutes(3)));
        pass(Duration.ofMinutes(1));
        assertThat(store().retire(SECOND)).isZero();
        pass(Duration.ofMinutes(1));
        assertThat(store().retire(SECOND)).as("the pause has ended").isEqualTo(1);
        pass(Duration.ofMinutes(1));

        assertThat(store().retire(SECOND)).as("the override has run out").isEqualTo(1);

        pass(Duration.ofDays(365));
        assertThat(store().retire(SECOND)).isZero();
        assertThat(only().isOpen()).isTrue();
    }

    @Test
    void what_is_of_calls_that_began_before_the_closing_changes_nothing() {
        record("FFF", THREE);
        pass(SECOND);
        store().command(RAWG, new OperatorCommand(Action.RESET, "ann", "it is well", Optional.empty()));
        BreakerRow closed =
                storeOf("two").record(RAWG, evidence("F"), FIVE).orElseThrow().row();
        pass(SECOND);

        Change change = store().record(RAWG, evidence("FFF").ofAge(Duration.ofMillis(1_500)), THREE)
                .orElseThrow();

        assertThat(change.transition()).isEmpty();
        assertThat(change.row().version()).isEqualTo(closed.version());
        assertThat(change.row().standing().consecutiveFailures()).isEqualTo(1);
    }

    @Test
    void a_closing_from_before_the_clock_was_set_back_says_nothing() {
        record("FFF", THREE);
        store().command(RAWG, new OperatorCommand(Action.RESET, "ann", "it is well", Optional.empty()));
        pass(Duration.ofHours(-1));

        assertThat(store().record(RAWG, evidence("FFF").ofAge(SECOND), THREE)
                        .orElseThrow()
                        .transition())
                .isPresent();
    }

    @Test
    void what_is_of_calls_that_began_after_the_closing_counts() {
        record("FFF", THREE);
        store().command(RAWG, new OperatorCommand(Action.RESET, "ann", "it is well", Optional.empty()));
        pass(Duration.ofSeconds(2));

        Change change =
                store().record(RAWG, evidence("FFF").ofAge(SECOND), THREE).orElseThrow();

        assertThat(change.transition()).isPresent();
    }

    private Change record(String calls, Policy policy) {
        return store().record(RAWG, evidence(calls), policy).orElseThrow();
    }

    private Change recordBy(String instance, String calls, Policy policy) {
        return storeOf(instance).record(RAWG, evidence(calls), policy).orElseThrow();
    }

    /** F failed, S did well, in the order in which they ended. */
    private static Evidence evidence(String calls) {
        return calls.chars()
                .mapToObj(call ->
                        call == 'F' ? Evidence.of(Failures.one(FailureKind.OUTAGE, "HTTP 500")) : Evidence.SUCCESS)
                .reduce(Evidence.NONE, Evidence::then);
    }

    private static Policy policy(int threshold) {
        return Policy.DEFAULT.toBuilder().failureThreshold(threshold).build();
    }

    private BreakerRow only() {
        assertThat(store().readAll()).hasSize(1);
        return store().readAll().get(0);
    }
}
