package io.distributedfallback.core;

import io.distributedfallback.BreakerState;
import io.distributedfallback.BreakerStatus.LastFailure;
import io.distributedfallback.BreakerTransition;
import io.distributedfallback.FailureKind;
import io.distributedfallback.OverrideMode;
import io.distributedfallback.RetryAfter;
import io.distributedfallback.TransitionCause;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

import static org.assertj.core.api.Assertions.assertThat;

/** What every store keeps of {@link BreakerStore}'s word. Time stands still unless a test lets it pass. */
public abstract class BreakerStoreContractTest extends RampUpContractTest {

    private static final String RAWG = "rawg";
    private static final Policy POLICY =
            Policy.DEFAULT.toBuilder().probeSuccesses(3).build();
    private static final Duration MICROSECOND = Duration.ofNanos(1_000);

    @Test
    void a_breaker_that_never_failed_is_not_stored() {
        assertThat(store().record(RAWG, Evidence.SUCCESS, Policy.DEFAULT)).isEmpty();
        assertThat(store().acquireProbe(RAWG, POLICY)).isEmpty();
        assertThat(store().reportProbe(RAWG, 0, ProbeVerdict.PASS, POLICY)).isEmpty();
        assertThat(store().readAll()).isEmpty();
    }

    @Test
    void counts_failures_and_keeps_the_last_one() {
        store().record(RAWG, Evidence.of(Failures.one(FailureKind.OUTAGE, "HTTP 500")), POLICY);
        pass(Duration.ofSeconds(1));

        Change second = store().record(RAWG, Evidence.of(Failures.one(FailureKind.SLOW, "took 9 s")), POLICY)
                .orElseThrow();

        assertThat(second.transition()).isEmpty();
        assertThat(second.row().standing().state()).isEqualTo(BreakerState.CLOSED);
        assertThat(second.row().standing().consecutiveFailures()).isEqualTo(2);
        assertThat(second.row().standing().openedAt()).isEmpty();
        assertThat(second.row().recovery().untilNextProbe()).isEmpty();
        assertThat(second.row().lastFailure()).contains(new LastFailure(now(), FailureKind.SLOW, "took 9 s", INSTANCE));
        assertThat(store().readAll()).containsExactly(second.row());
    }

    @Test
    void opens_with_the_failure_that_reaches_the_threshold() {
        fail(2);
        pass(Duration.ofSeconds(1));

        Change third = fail(1);

        assertThat(third.transition())
                .contains(new BreakerTransition(
                        RAWG, BreakerState.CLOSED, BreakerState.OPEN, TransitionCause.FAILURES, INSTANCE, now()));
        assertThat(third.row().standing().state()).isEqualTo(BreakerState.OPEN);
        assertThat(third.row().standing().consecutiveFailures()).isEqualTo(3);
        assertThat(third.row().standing().openedAt()).contains(now());
        assertThat(third.row().recovery().untilNextProbe()).contains(Duration.ofSeconds(15));
        assertThat(store().readAll()).containsExactly(third.row());
    }

    @Test
    void opens_with_the_very_first_failure_if_that_is_the_threshold() {
        Change only = store().record(
                        RAWG,
                        Evidence.of(outage(1)),
                        POLICY.toBuilder().failureThreshold(1).build())
                .orElseThrow();

        assertThat(only.transition()).isPresent();
        assertThat(only.row().standing().openedAt()).contains(now());
        assertThat(only.row().recovery().untilNextProbe()).contains(Duration.ofSeconds(15));
    }

    @Test
    void opens_once_when_many_failures_come_in_one_write() {
        Change change = fail(7);

        assertThat(change.transition()).isPresent();
        assertThat(change.row().standing().consecutiveFailures()).isEqualTo(7);
        assertThat(fail(1).transition()).isEmpty();
    }

    @Test
    void a_failure_while_open_changes_nothing() {
        Change opened = fail(3);
        pass(Duration.ofSeconds(5));

        Change late = store().record(RAWG, Evidence.of(Failures.one(FailureKind.OUTAGE, "late")), POLICY)
                .orElseThrow();

        assertThat(late.transition()).isEmpty();
        assertThat(late.row().standing()).isEqualTo(opened.row().standing());
        assertThat(late.row().recovery().untilNextProbe()).contains(Duration.ofSeconds(10));
        assertThat(late.row().lastFailure()).isEqualTo(opened.row().lastFailure());
        assertThat(late.row().version()).isEqualTo(opened.row().version());
    }

    @Test
    void a_success_resets_the_count_and_the_row_no_longer_matters() {
        fail(2);

        Change reset = store().record(RAWG, Evidence.SUCCESS, Policy.DEFAULT).orElseThrow();

        assertThat(reset.row().standing().consecutiveFailures()).isZero();
        assertThat(reset.row().lastFailure()).isPresent();
        assertThat(reset.transition()).isEmpty();
        assertThat(store().record(RAWG, Evidence.SUCCESS, Policy.DEFAULT)).isEmpty();
        assertThat(store().readAll()).isEmpty();
        assertThat(fail(1).row().standing().consecutiveFailures()).isEqualTo(1);
    }

    @Test
    void a_late_success_never_closes() {
        fail(3);

        assertThat(store().record(RAWG, Evidence.SUCCESS, Policy.DEFAULT)).isEmpty();
        assertThat(only().isOpen()).isTrue();
    }

    @Test
    void the_row_keeps_the_threshold_that_its_failures_were_last_counted_against() {
        assertThat(fail(1).row().standing().countedAgainst()).hasValue(3);

        Change other = store().record(RAWG, Evidence.of(outage(1)), opensAt(7)).orElseThrow();

        assertThat(other.row().standing().countedAgainst()).hasValue(7);
        assertThat(store().readAll()).containsExactly(other.row());
        throttle(new RetryAfter.In(Duration.ofSeconds(5)));
        assertThat(only().standing().countedAgainst()).hasValue(7);
    }

    @Test
    void a_failure_opens_when_the_count_has_reached_the_threshold_of_the_instance_that_adds_it() {
        store().record(RAWG, Evidence.of(outage(4)), opensAt(5));
        assertThat(only().isOpen())
                .as("another threshold alone, without a failure, opens nothing")
                .isFalse();

        Change change = store().record(RAWG, Evidence.of(outage(1)), opensAt(3)).orElseThrow();

        assertThat(change.transition()).isPresent();
        assertThat(change.row().standing().consecutiveFailures()).isEqualTo(5);
        assertThat(change.row().standing().countedAgainst()).hasValue(3);
    }

    @Test
    void a_failure_below_the_threshold_of_its_instance_does_not_open_whatever_others_counted_against() {
        store().record(RAWG, Evidence.of(outage(2)), opensAt(3));

        assertThat(store().record(RAWG, Evidence.of(outage(1)), opensAt(5))
                        .orElseThrow()
                        .transition())
                .isEmpty();
    }

    @Test
    void a_failure_while_open_leaves_the_threshold_that_opened() {
        fail(3);

        assertThat(store().record(RAWG, Evidence.of(outage(1)), opensAt(7))
                        .orElseThrow()
                        .row()
                        .standing()
                        .countedAgainst())
                .hasValue(3);
    }

    @Test
    void the_threshold_goes_with_the_count() {
        fail(1);
        assertThat(store().record(RAWG, Evidence.SUCCESS, Policy.DEFAULT)
                        .orElseThrow()
                        .row()
                        .standing()
                        .countedAgainst())
                .isEmpty();

        Policy onePass = POLICY.toBuilder().probeSuccesses(1).build();
        Change closed = store().reportProbe(RAWG, token(openAndLease()), ProbeVerdict.PASS, onePass)
                .orElseThrow();
        assertThat(closed.transition()).isPresent();
        assertThat(closed.row().standing().countedAgainst()).isEmpty();
    }

    @Test
    void a_verdict_is_held_against_the_policy_of_the_instance_that_gives_it() {
        report(openAndLease(), ProbeVerdict.PASS);
        pass(Duration.ofSeconds(15));

        Policy two = POLICY.toBuilder().probeSuccesses(2).build();
        assertThat(store().reportProbe(RAWG, token(lease()), ProbeVerdict.PASS, two)
                        .orElseThrow()
                        .transition())
                .isPresent();
    }

    @Test
    void a_version_grows_with_every_change_of_a_row() {
        long last = 0;
        for (int i = 0; i < 3; i++) {
            long version = fail(1).row().version();
            assertThat(version).isGreaterThan(last);
            last = version;
        }
        pass(Duration.ofSeconds(15));
        Change lease = store().acquireProbe(RAWG, POLICY).orElseThrow();
        assertThat(lease.row().version()).isGreaterThan(last);
        assertThat(report(lease, ProbeVerdict.FAIL).orElseThrow().row().version())
                .isGreaterThan(lease.row().version());
    }

    @Test
    void no_probe_before_it_is_due_and_one_when_it_is() {
        fail(3);
        pass(Duration.ofSeconds(15).minus(MICROSECOND));
        assertThat(store().acquireProbe(RAWG, POLICY)).isEmpty();
        pass(MICROSECOND);

        Change lease = store().acquireProbe(RAWG, POLICY).orElseThrow();

        assertThat(lease.row().recovery().leaseLeft()).isEqualTo(Duration.ofSeconds(10));
        assertThat(lease.row().recovery().untilNextProbe()).contains(Duration.ZERO);
        assertThat(lease.row().recovery().token()).isPositive();
        assertThat(lease.transition()).isEmpty();
        assertThat(store().readAll()).containsExactly(lease.row());
    }

    @Test
    void nobody_else_probes_until_the_lease_ends() {
        Change first = openAndLease();
        pass(Duration.ofSeconds(10).minus(MICROSECOND));
        assertThat(store().acquireProbe(RAWG, POLICY)).isEmpty();
        pass(MICROSECOND);

        Change second = store().acquireProbe(RAWG, POLICY).orElseThrow();

        assertThat(token(second)).isGreaterThan(token(first));
    }

    @Test
    void closes_at_the_third_pass_in_a_row() {
        report(openAndLease(), ProbeVerdict.PASS);
        pass(Duration.ofSeconds(15));
        Change second = report(lease(), ProbeVerdict.PASS).orElseThrow();
        assertThat(second.row().recovery().consecutiveSuccesses()).isEqualTo(2);
        assertThat(second.row().recovery().untilNextProbe()).contains(Duration.ofSeconds(15));
        assertThat(second.row().recovery().leaseLeft()).isZero();
        pass(Duration.ofSeconds(16));

        Change third = report(lease(), ProbeVerdict.PASS).orElseThrow();

        assertThat(third.transition())
                .contains(new BreakerTransition(
                        RAWG, BreakerState.OPEN, BreakerState.CLOSED, TransitionCause.PROBES, INSTANCE, now()));
        assertThat(third.row().isOpen()).isFalse();
        assertThat(third.row().standing().closedAt()).contains(now());
        assertThat(third.row().standing().consecutiveFailures()).isZero();
        assertThat(third.row().recovery().consecutiveSuccesses()).isZero();
        assertThat(third.row().recovery().untilNextProbe()).isEmpty();
        assertThat(store().readAll()).isEmpty();
    }

    @Test
    void a_flapping_provider_closes_after_pass_pass_fail_pass_pass_pass() {
        fail(3);
        List<ProbeVerdict> verdicts = List.of(
                ProbeVerdict.PASS,
                ProbeVerdict.PASS,
                ProbeVerdict.FAIL,
                ProbeVerdict.PASS,
                ProbeVerdict.PASS,
                ProbeVerdict.PASS);

        List<Boolean> closed = verdicts.stream()
                .map(verdict -> {
                    pass(Duration.ofSeconds(15));
                    return report(lease(), verdict).orElseThrow().transition().isPresent();
                })
                .toList();

        assertThat(closed).containsExactly(false, false, false, false, false, true);
    }

    @Test
    void an_inconclusive_probe_keeps_the_passes_and_waits_an_interval() {
        report(openAndLease(), ProbeVerdict.PASS);
        pass(Duration.ofSeconds(15));

        Change change = report(lease(), ProbeVerdict.INCONCLUSIVE).orElseThrow();

        assertThat(change.row().recovery().consecutiveSuccesses()).isEqualTo(1);
        assertThat(change.row().recovery().untilNextProbe()).contains(Duration.ofSeconds(15));
        assertThat(change.row().recovery().leaseLeft()).isZero();
    }

    @Test
    void an_abandoned_probe_may_be_taken_over_at_once() {
        Change first = openAndLease();

        assertThat(report(first, ProbeVerdict.ABANDONED)).isPresent();

        assertThat(token(lease())).isGreaterThan(token(first));
    }

    @Test
    void a_slow_verdict_counts_if_nobody_took_over() {
        Change lease = openAndLease();
        pass(Duration.ofSeconds(60));

        assertThat(report(lease, ProbeVerdict.PASS)).isPresent();
    }

    @ParameterizedTest
    @EnumSource(ProbeVerdict.class)
    void a_verdict_of_a_lease_that_another_took_over_changes_nothing(ProbeVerdict verdict) {
        Change slow = openAndLease();
        pass(Duration.ofSeconds(10));
        Change current = lease();

        assertThat(report(slow, verdict)).isEmpty();
        assertThat(store().readAll()).containsExactly(current.row());
    }

    @Test
    void a_verdict_counts_once() {
        Change lease = openAndLease();

        assertThat(report(lease, ProbeVerdict.PASS)).isPresent();
        assertThat(report(lease, ProbeVerdict.PASS)).isEmpty();
        assertThat(only().recovery().consecutiveSuccesses()).isEqualTo(1);
    }

    @Test
    void a_verdict_of_one_outage_does_not_count_in_the_next() {
        Policy onePass = POLICY.toBuilder().probeSuccesses(1).build();
        Change slow = openAndLease();
        pass(Duration.ofSeconds(10));
        assertThat(store().reportProbe(RAWG, token(lease()), ProbeVerdict.PASS, onePass))
                .isPresent();
        fail(3);

        assertThat(store().reportProbe(RAWG, token(slow), ProbeVerdict.PASS, onePass))
                .isEmpty();
        assertThat(only().isOpen()).isTrue();
        pass(Duration.ofSeconds(15));
        assertThat(token(lease())).isGreaterThan(token(slow));
    }

    @Test
    void a_throttled_provider_is_left_alone_for_the_time_it_names() {
        Change change = throttle(new RetryAfter.In(Duration.ofMinutes(2)));

        assertThat(change.row().holds().cooldownLeft()).isEqualTo(Duration.ofMinutes(2));
        assertThat(change.row().standing().consecutiveFailures()).isZero();
        assertThat(change.row().lastFailure().map(LastFailure::kind)).contains(FailureKind.THROTTLED);
        pass(Duration.ofSeconds(119));
        assertThat(only().holds().cooldownLeft()).isEqualTo(Duration.ofSeconds(1));
        pass(Duration.ofSeconds(1));
        assertThat(store().readAll()).isEmpty();
    }

    @Test
    void a_cooldown_lasts_as_the_policy_says_if_the_provider_says_nothing() {
        Change change = store().coolDown(RAWG, Optional.empty(), throttled(), POLICY);

        assertThat(change.row().holds().cooldownLeft()).isEqualTo(Duration.ofSeconds(60));
    }

    @Test
    void a_cooldown_until_a_moment_is_held_against_the_stores_clock() {
        Change change = throttle(new RetryAfter.At(now().plusSeconds(90)));

        assertThat(change.row().holds().cooldownLeft()).isEqualTo(Duration.ofSeconds(90));
    }

    @Test
    void a_cooldown_until_a_moment_in_the_past_is_none() {
        Change change = throttle(new RetryAfter.At(now().minusSeconds(90)));

        assertThat(change.row().holds().cooldownLeft()).isZero();
        assertThat(change.row().version()).isPositive();
    }

    @Test
    void a_cooldown_is_only_ever_extended() {
        throttle(new RetryAfter.In(Duration.ofMinutes(2)));
        pass(Duration.ofSeconds(10));

        assertThat(throttle(new RetryAfter.In(Duration.ofSeconds(5)))
                        .row()
                        .holds()
                        .cooldownLeft())
                .isEqualTo(Duration.ofSeconds(110));
        assertThat(throttle(new RetryAfter.In(Duration.ofMinutes(5)))
                        .row()
                        .holds()
                        .cooldownLeft())
                .isEqualTo(Duration.ofMinutes(5));
    }

    @Test
    void no_cooldown_is_longer_than_the_maximum() {
        Duration hour = Duration.ofHours(1);

        assertThat(cooldownLeft("a", new RetryAfter.In(Duration.ofHours(2)))).isEqualTo(hour);
        assertThat(cooldownLeft("b", new RetryAfter.In(Duration.ofSeconds(Long.MAX_VALUE))))
                .isEqualTo(hour);
        assertThat(cooldownLeft("c", new RetryAfter.At(now().plus(Duration.ofDays(1)))))
                .isEqualTo(hour);
        assertThat(cooldownLeft("d", new RetryAfter.At(Instant.MAX))).isEqualTo(hour);
        assertThat(cooldownLeft("e", new RetryAfter.At(Instant.MIN))).isZero();
    }

    @Test
    void a_success_leaves_the_cooldown_as_it_is() {
        fail(1);
        throttle(new RetryAfter.In(Duration.ofMinutes(2)));

        assertThat(store().record(RAWG, Evidence.SUCCESS, Policy.DEFAULT)
                        .orElseThrow()
                        .row()
                        .holds()
                        .cooldownLeft())
                .isEqualTo(Duration.ofMinutes(2));
    }

    @Test
    void no_probe_while_cooling_down() {
        fail(3);
        throttle(new RetryAfter.In(Duration.ofMinutes(2)));
        pass(Duration.ofSeconds(119));
        assertThat(store().acquireProbe(RAWG, POLICY)).isEmpty();
        pass(Duration.ofSeconds(1));

        assertThat(store().acquireProbe(RAWG, POLICY)).isPresent();
    }

    @ParameterizedTest
    @EnumSource(OverrideMode.class)
    void no_probe_while_forced_and_one_when_the_override_has_run_out(OverrideMode mode) {
        fail(3);
        force(RAWG, mode, Optional.of(Duration.ofSeconds(60)));
        pass(Duration.ofSeconds(59));
        assertThat(store().acquireProbe(RAWG, POLICY)).isEmpty();
        assertThat(only().holds().override().orElseThrow().mode()).isEqualTo(mode);
        assertThat(only().holds().override().orElseThrow().left()).contains(Duration.ofSeconds(1));
        pass(Duration.ofSeconds(1));

        assertThat(only().holds().override()).isEmpty();
        assertThat(store().acquireProbe(RAWG, POLICY)).isPresent();
    }

    @ParameterizedTest
    @EnumSource(ProbeVerdict.class)
    void a_verdict_that_comes_while_forced_is_inconclusive(ProbeVerdict verdict) {
        report(openAndLease(), ProbeVerdict.PASS);
        pass(Duration.ofSeconds(15));
        Change lease = lease();
        force(RAWG, OverrideMode.FORCED_OPEN, Optional.empty());

        Change change = store().reportProbe(
                        RAWG,
                        token(lease),
                        verdict,
                        POLICY.toBuilder().probeSuccesses(2).build())
                .orElseThrow();

        assertThat(change.transition()).isEmpty();
        assertThat(change.row().isOpen()).isTrue();
        assertThat(change.row().recovery().consecutiveSuccesses()).isEqualTo(1);
        assertThat(change.row().recovery().untilNextProbe()).contains(Duration.ofSeconds(15));
        assertThat(change.row().recovery().leaseLeft()).isZero();
        assertThat(change.row().holds().override().orElseThrow().left()).isEmpty();
    }

    @Test
    void failures_go_on_being_counted_while_forced() {
        fail(1);
        force(RAWG, OverrideMode.FORCED_CLOSED, Optional.empty());

        assertThat(fail(1).row().standing().consecutiveFailures()).isEqualTo(2);
        assertThat(fail(1).transition()).isPresent();
    }

    @Test
    void names_are_exact() {
        List<String> names = List.of(
                "rawg",
                "RAWG",
                " rawg",
                "rawg ",
                "ra wg",
                "a:b",
                "a/b",
                "'",
                "\"",
                "''",
                "%",
                "_",
                "r%",
                "\\",
                "?1",
                ":x",
                "#x",
                "{}",
                "$$",
                "--",
                ";",
                "\u00e4",
                "a\u0308",
                "\ud83c\udfae",
                "x".repeat(200),
                "x".repeat(199) + "y");

        names.forEach(name -> store().record(name, Evidence.of(outage(1)), POLICY));

        assertThat(store().readAll().stream().map(BreakerRow::name)).containsExactlyInAnyOrderElementsOf(names);
        assertThat(store().readAll().stream()
                        .map(row -> row.standing().consecutiveFailures())
                        .collect(Collectors.toSet()))
                .containsExactly(1);
        names.forEach(name -> assertThat(store().record(name, Evidence.SUCCESS, Policy.DEFAULT))
                .as(name)
                .isPresent());
    }

    @Test
    void a_text_of_the_failure_is_kept_as_it_is() {
        String text = "it's \"? ?1 :x #y {z} $1 \\ %s \u00e4 \ud83c\udfae".repeat(5);

        Change change = store().record(RAWG, Evidence.of(Failures.one(FailureKind.OUTAGE, text)), POLICY)
                .orElseThrow();

        assertThat(change.row().lastFailure().map(LastFailure::text)).contains(text);
    }

    private Change fail(int times) {
        return store().record(RAWG, Evidence.of(outage(times)), POLICY).orElseThrow();
    }

    private static Policy opensAt(int threshold) {
        return POLICY.toBuilder().failureThreshold(threshold).build();
    }

    private static Failures outage(int times) {
        return new Failures(times, FailureKind.OUTAGE, "HTTP 500");
    }

    private static Failures throttled() {
        return Failures.one(FailureKind.THROTTLED, "HTTP 429");
    }

    private Change throttle(RetryAfter retryAfter) {
        return store().coolDown(RAWG, Optional.of(retryAfter), throttled(), POLICY);
    }

    private Duration cooldownLeft(String breaker, RetryAfter retryAfter) {
        return store().coolDown(breaker, Optional.of(retryAfter), throttled(), POLICY)
                .row()
                .holds()
                .cooldownLeft();
    }

    private Change openAndLease() {
        fail(3);
        pass(Duration.ofSeconds(15));
        return lease();
    }

    private Change lease() {
        return store().acquireProbe(RAWG, POLICY).orElseThrow();
    }

    private Optional<Change> report(Change lease, ProbeVerdict verdict) {
        return store().reportProbe(RAWG, token(lease), verdict, POLICY);
    }

    private static long token(Change lease) {
        return lease.row().recovery().token();
    }

    private BreakerRow only() {
        assertThat(store().readAll()).hasSize(1);
        return store().readAll().get(0);
    }
}
