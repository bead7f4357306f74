package io.distributedfallback.core;

import io.distributedfallback.BreakerState;
import io.distributedfallback.BreakerStatus.RampUp;
import io.distributedfallback.BreakerTransition;
import io.distributedfallback.FailureKind;
import io.distributedfallback.OperatorCommand;
import io.distributedfallback.OperatorCommand.Action;
import io.distributedfallback.OverrideMode;
import io.distributedfallback.RetryAfter;
import io.distributedfallback.TransitionCause;
import java.time.Duration;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.OptionalLong;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/** The part of {@link BreakerStoreContractTest} that is about the way back to full traffic after a breaker has closed. */
public abstract class RampUpContractTest extends CommandContractTest {

    private static final String RAWG = "rawg";
    private static final Duration SECOND = Duration.ofSeconds(1);
    private static final Duration LENGTH = Duration.ofMinutes(5);
    private static final Policy RAMPED =
            Policy.DEFAULT.toBuilder().probeSuccesses(1).rampUp(LENGTH).build();
    private static final Policy NOT_RAMPED = RAMPED.toBuilder().rampUp(null).build();

    @Test
    void begins_with_the_closing_and_is_read_until_it_is_over() {
        Change closed = openAndClose(RAMPED);

        assertThat(rampUp(closed)).contains(new RampUp(LENGTH, LENGTH));
        assertThat(store().readAll()).containsExactly(closed.row());
        pass(LENGTH.minus(SECOND));
        assertThat(only().recovery().rampUp()).contains(new RampUp(SECOND, LENGTH));
        pass(SECOND);
        assertThat(store().readAll()).isEmpty();
    }

    @Test
    void there_is_none_where_the_policy_of_the_instance_that_closes_has_none() {
        assertThat(rampUp(openAndClose(NOT_RAMPED))).isEmpty();
        assertThat(store().readAll()).isEmpty();
    }

    @Test
    void begins_at_the_end_of_a_pause_that_is_in_force() {
        fail(3, 0);
        pass(RAMPED.probeInterval());
        long token = lease();
        throttle(Duration.ofMinutes(1));

        Change closed =
                store().reportProbe(RAWG, token, ProbeVerdict.PASS, RAMPED).orElseThrow();

        assertThat(rampUp(closed)).contains(new RampUp(LENGTH.plusMinutes(1), LENGTH));
    }

    @Test
    void the_first_failure_of_a_call_that_it_let_through_opens_again() {
        long token = token(openAndClose(RAMPED));
        pass(Duration.ofSeconds(121));

        Change opened = fail(1, token);

        assertThat(opened.transition())
                .contains(new BreakerTransition(
                        RAWG, BreakerState.CLOSED, BreakerState.OPEN, TransitionCause.RAMP_UP, INSTANCE, now()));
        assertThat(opened.row().standing().consecutiveFailures()).isEqualTo(1);
        assertThat(opened.row().standing().failingInstances()).containsExactly(INSTANCE);
        assertThat(opened.row().recovery().untilNextProbe()).contains(RAMPED.probeInterval());
        assertThat(rampUp(opened)).isEmpty();
        assertThat(fail(1, token).transition()).isEmpty();
        assertThat(newest().cause()).isEqualTo(TransitionCause.RAMP_UP);
        assertThat(newest().evidence().rampUpPercent()).hasValue(40);
        assertThat(newest().evidence().consecutiveFailures()).isEqualTo(1);
        assertThat(newest().evidence().lastFailures()).hasSize(1);
    }

    @Test
    void it_does_so_wherever_in_the_evidence_the_failure_is() {
        long token = token(openAndClose(RAMPED));
        Evidence evidence = Evidence.SUCCESS.then(Evidence.of(outage(1, token))).then(Evidence.SUCCESS);

        Change opened = store().record(RAWG, evidence, RAMPED).orElseThrow();

        assertThat(opened.transition()).isPresent();
        assertThat(opened.row().standing().consecutiveFailures()).isEqualTo(1);
        assertThat(opened.row().standing().failingInstances()).containsExactly(INSTANCE);
        assertThat(newest().evidence().rampUpPercent()).hasValue(0);
    }

    @Test
    void closes_and_begins_anew_after_that() {
        long token = token(openAndClose(RAMPED));
        fail(1, token);
        pass(RAMPED.probeInterval());

        Change closed =
                store().reportProbe(RAWG, lease(), ProbeVerdict.PASS, RAMPED).orElseThrow();

        assertThat(rampUp(closed)).contains(new RampUp(LENGTH, LENGTH));
        assertThat(newest().cause()).isEqualTo(TransitionCause.PROBES);
        assertThat(newest().evidence().rampUpPercent()).isEmpty();
        assertThat(fail(1, token).transition())
                .as("a failure of the ramp before")
                .isEmpty();
        assertThat(fail(1, token(closed)).transition()).isPresent();
    }

    @Test
    void a_failure_of_a_call_that_it_did_not_let_through_is_an_ordinary_one() {
        openAndClose(RAMPED);

        Change late = fail(1, 0);

        assertThat(late.transition()).isEmpty();
        assertThat(late.row().standing().consecutiveFailures()).isEqualTo(1);
        assertThat(rampUp(late)).contains(new RampUp(LENGTH, LENGTH));
        Change third = fail(2, 0);
        assertThat(third.transition()).map(BreakerTransition::cause).contains(TransitionCause.FAILURES);
        assertThat(newest().evidence().rampUpPercent()).isEmpty();
    }

    @Test
    void once_it_is_over_a_failure_of_a_call_that_it_let_through_is_an_ordinary_one() {
        long token = token(openAndClose(RAMPED));
        pass(LENGTH);

        assertThat(fail(1, token).transition()).isEmpty();
    }

    @Test
    void of_several_failures_one_that_it_let_through_is_enough() {
        long token = token(openAndClose(RAMPED));
        Evidence evidence = Evidence.of(outage(1, token)).then(Evidence.of(outage(1, 0)));

        assertThat(store().record(RAWG, evidence, RAMPED).orElseThrow().transition())
                .map(BreakerTransition::cause)
                .contains(TransitionCause.RAMP_UP);
    }

    @Test
    void where_a_ratio_may_fail_the_usual_rules_hold() {
        Policy ratio = RAMPED.toBuilder()
                .failureRatio(OptionalDouble.of(0.5))
                .minimumCalls(4)
                .build();
        long token = token(openAndClose(ratio));

        Change one = store().record(RAWG, Evidence.of(outage(1, token)), ratio).orElseThrow();
        assertThat(one.transition()).isEmpty();
        assertThat(rampUp(one)).isPresent();
        Change third =
                store().record(RAWG, Evidence.of(outage(2, token)), ratio).orElseThrow();
        assertThat(third.transition()).map(BreakerTransition::cause).contains(TransitionCause.FAILURES);
        assertThat(newest().evidence().rampUpPercent()).isEmpty();
    }

    @Test
    void the_quorum_holds() {
        Policy ofTwo = RAMPED.toBuilder().quorum(2).build();
        store().record(RAWG, Evidence.of(outage(2, 0)), ofTwo);
        storeOf("two").record(RAWG, Evidence.of(outage(1, 0)), ofTwo);
        pass(ofTwo.probeInterval());
        Change closed =
                store().reportProbe(RAWG, lease(), ProbeVerdict.PASS, ofTwo).orElseThrow();

        Change first = store().record(RAWG, Evidence.of(outage(5, token(closed))), ofTwo)
                .orElseThrow();
        Change second = storeOf("two")
                .record(RAWG, Evidence.of(outage(1, token(closed))), ofTwo)
                .orElseThrow();

        assertThat(first.transition()).isEmpty();
        assertThat(rampUp(first)).isPresent();
        assertThat(second.transition()).map(BreakerTransition::cause).contains(TransitionCause.RAMP_UP);
        assertThat(second.row().standing().failingInstances()).containsExactlyInAnyOrder(INSTANCE, "two");
    }

    @Test
    void successes_change_nothing_of_it() {
        openAndClose(RAMPED);
        fail(1, 0);
        pass(SECOND);

        Change reset = store().record(RAWG, Evidence.SUCCESS, RAMPED).orElseThrow();

        assertThat(rampUp(reset)).contains(new RampUp(LENGTH.minus(SECOND), LENGTH));
        assertThat(store().record(RAWG, Evidence.SUCCESS, RAMPED))
                .as("nothing to reset")
                .isEmpty();
    }

    @Test
    void throttled_it_starts_again_when_the_pause_ends() {
        long token = token(openAndClose(RAMPED));
        pass(Duration.ofMinutes(4));

        Change throttled = throttle(Duration.ofMinutes(2));

        assertThat(throttled.transition()).isEmpty();
        assertThat(rampUp(throttled)).contains(new RampUp(LENGTH.plusMinutes(2), LENGTH));
        assertThat(rampUp(throttled).orElseThrow().share()).isZero();
        pass(Duration.ofMinutes(3));
        assertThat(only().recovery().rampUp().orElseThrow().share()).isEqualTo(0.2);
        assertThat(fail(1, token).transition()).isPresent();
        assertThat(newest().evidence().rampUpPercent()).hasValue(20);
    }

    @Test
    void throttled_with_a_pause_that_has_ended_it_starts_again_at_once() {
        openAndClose(RAMPED);
        pass(SECOND);

        assertThat(rampUp(throttle(Duration.ZERO))).contains(new RampUp(LENGTH, LENGTH));
    }

    @Test
    void throttled_when_it_is_over_it_does_not_start_again() {
        openAndClose(RAMPED);
        pass(LENGTH);

        assertThat(rampUp(throttle(Duration.ofMinutes(1)))).isEmpty();
    }

    @Test
    void throttled_while_open_again_it_does_not_start_either() {
        long token = token(openAndClose(RAMPED));
        fail(1, token);

        assertThat(rampUp(throttle(Duration.ofMinutes(1)))).isEmpty();
        pass(Duration.ofMinutes(1));
        Change closed = store().reportProbe(RAWG, lease(), ProbeVerdict.PASS, NOT_RAMPED)
                .orElseThrow();
        assertThat(rampUp(closed)).isEmpty();
    }

    @Test
    void a_reset_ends_it_and_begins_none() {
        openAndClose(RAMPED);

        assertThat(rampUp(command(Action.RESET))).isEmpty();
        assertThat(store().readAll()).isEmpty();
        fail(3, 0);
        assertThat(rampUp(command(Action.RESET))).isEmpty();
        assertThat(store().readAll()).isEmpty();
    }

    @Test
    void an_override_neither_begins_nor_ends_it() {
        openAndClose(RAMPED);
        force(RAWG, OverrideMode.FORCED_CLOSED, Optional.of(SECOND));
        pass(SECOND);

        assertThat(only().recovery().rampUp()).contains(new RampUp(LENGTH.minus(SECOND), LENGTH));
        assertThat(rampUp(command(Action.CLEAR_OVERRIDE))).isPresent();
    }

    @Test
    void a_row_that_ramps_up_is_not_retired() {
        openAndClose(RAMPED);
        pass(LENGTH.minus(SECOND));

        assertThat(store().retire(SECOND)).isZero();
        pass(SECOND);
        assertThat(store().retire(SECOND)).isEqualTo(1);
    }

    private Change openAndClose(Policy policy) {
        store().record(RAWG, Evidence.of(outage(3, 0)), policy);
        pass(policy.probeInterval());
        return store().reportProbe(RAWG, lease(), ProbeVerdict.PASS, policy).orElseThrow();
    }

    private long lease() {
        return token(store().acquireProbe(RAWG, RAMPED).orElseThrow());
    }

    private Change fail(int times, long ramp) {
        return store().record(RAWG, Evidence.of(outage(times, ramp)), RAMPED).orElseThrow();
    }

    private static Failures outage(int times, long ramp) {
        return new Failures(times, FailureKind.OUTAGE, "HTTP 500", ramp);
    }

    private Change throttle(Duration pause) {
        return store().coolDown(
                        RAWG,
                        Optional.of(new RetryAfter.In(pause)),
                        Failures.one(FailureKind.THROTTLED, "HTTP 429"),
                        RAMPED);
    }

    private Change command(Action action) {
        return store().command(RAWG, new OperatorCommand(action, "ann", "why not", Optional.empty()));
    }

    private HistoryEntry newest() {
        return store().history(new HistoryQuery(Optional.of(RAWG), OptionalLong.empty(), 1))
                .get(0);
    }

    private static Optional<RampUp> rampUp(Change change) {
        return change.row().recovery().rampUp();
    }

    private static long token(Change change) {
        return change.row().recovery().token();
    }

    private BreakerRow only() {
        assertThat(store().readAll()).hasSize(1);
        return store().readAll().get(0);
    }
}
