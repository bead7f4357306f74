package io.distributedfallback.core;

import io.distributedfallback.BreakerCommanded;
import io.distributedfallback.BreakerState;
import io.distributedfallback.BreakerStatus.LastFailure;
import io.distributedfallback.BreakerStatus.OperatorOverride;
import io.distributedfallback.BreakerStatus.Standing;
import io.distributedfallback.BreakerStatus.Window;
import io.distributedfallback.BreakerTransition;
import io.distributedfallback.FailureKind;
import io.distributedfallback.OperatorCommand;
import io.distributedfallback.OperatorCommand.Action;
import io.distributedfallback.OverrideMode;
import io.distributedfallback.RetryAfter;
import io.distributedfallback.TransitionCause;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.OptionalLong;
import java.util.Set;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

import static org.assertj.core.api.Assertions.assertThat;

/** The part of {@link BreakerStoreContractTest} that is about operators and the history. */
public abstract class CommandContractTest extends EvidenceContractTest {

    private static final String RAWG = "rawg";
    private static final Policy THREE =
            Policy.DEFAULT.toBuilder().probeSuccesses(1).build();
    private static final Duration MINUTE = Duration.ofMinutes(1);

    @ParameterizedTest
    @EnumSource(
            value = Action.class,
            names = {"FORCE_OPEN", "FORCE_CLOSED"})
    void forces_a_breaker_that_never_failed_until_the_time_is_up(Action action) {
        Change change = command(action, Optional.of(MINUTE));

        OverrideMode mode = action == Action.FORCE_OPEN ? OverrideMode.FORCED_OPEN : OverrideMode.FORCED_CLOSED;
        assertThat(change.transition()).isEmpty();
        assertThat(change.commanded())
                .contains(new BreakerCommanded(
                        RAWG, new OperatorCommand(action, "ann", "why not", Optional.of(MINUTE)), INSTANCE, now()));
        assertThat(change.row().standing()).isEqualTo(Standing.NEVER_FAILED);
        assertThat(change.row().holds().override())
                .contains(new OperatorOverride(mode, "ann", "why not", Optional.of(MINUTE)));
        assertThat(store().readAll()).containsExactly(change.row());
        pass(MINUTE.minusNanos(1_000));
        assertThat(store().readAll()).hasSize(1);
        pass(Duration.ofNanos(1_000));
        assertThat(store().readAll()).isEmpty();
    }

    @Test
    void forces_until_cleared_through_everything_that_happens_to_the_row() {
        command(Action.FORCE_CLOSED, Optional.empty());
        fail(3);
        store().record(RAWG, Evidence.SUCCESS, THREE);
        throttle();
        pass(Duration.ofDays(400));
        store().retire(MINUTE);

        assertThat(only().isOpen()).isTrue();
        assertThat(only().holds().override())
                .contains(new OperatorOverride(OverrideMode.FORCED_CLOSED, "ann", "why not", Optional.empty()));
        assertThat(command(Action.CLEAR_OVERRIDE, Optional.empty())
                        .row()
                        .holds()
                        .override())
                .isEmpty();
        assertThat(only().isOpen()).isTrue();
        assertThat(store().acquireProbe(RAWG, THREE)).isPresent();
    }

    @Test
    void the_last_word_replaces_the_one_before() {
        command(Action.FORCE_OPEN, Optional.of(MINUTE));
        storeOf("two").command(RAWG, new OperatorCommand(Action.FORCE_CLOSED, "bob", "no", Optional.empty()));

        assertThat(only().holds().override())
                .contains(new OperatorOverride(OverrideMode.FORCED_CLOSED, "bob", "no", Optional.empty()));
        assertThat(entries())
                .extracting(HistoryEntry::command)
                .containsExactly(
                        Optional.of(new HistoryEntry.Command(
                                Action.FORCE_CLOSED,
                                "bob",
                                "no",
                                Optional.of(OverrideMode.FORCED_OPEN),
                                Optional.of(OverrideMode.FORCED_CLOSED),
                                Optional.empty())),
                        Optional.of(new HistoryEntry.Command(
                                Action.FORCE_OPEN,
                                "ann",
                                "why not",
                                Optional.empty(),
                                Optional.of(OverrideMode.FORCED_OPEN),
                                Optional.of(now().plus(MINUTE)))));
        assertThat(entries()).extracting(HistoryEntry::instance).containsExactly("two", INSTANCE);
    }

    @Test
    void an_override_that_has_run_out_was_none_when_it_is_cleared() {
        command(Action.FORCE_OPEN, Optional.of(MINUTE));
        pass(MINUTE);

        command(Action.CLEAR_OVERRIDE, Optional.empty());

        assertThat(entries().get(0).command().orElseThrow())
                .isEqualTo(new HistoryEntry.Command(
                        Action.CLEAR_OVERRIDE, "ann", "why not", Optional.empty(), Optional.empty(), Optional.empty()));
    }

    @ParameterizedTest
    @EnumSource(
            value = Action.class,
            names = {"CLEAR_OVERRIDE", "RESET"})
    void a_command_that_changes_nothing_is_in_the_history_all_the_same(Action action) {
        Change change = command(action, Optional.empty());

        assertThat(change.transition()).isEmpty();
        assertThat(change.commanded()).isPresent();
        assertThat(store().readAll()).isEmpty();
        assertThat(entries()).singleElement().satisfies(entry -> {
            assertThat(entry.cause()).isEqualTo(TransitionCause.OPERATOR);
            assertThat(entry.from()).isEqualTo(BreakerState.CLOSED);
            assertThat(entry.to()).isEqualTo(BreakerState.CLOSED);
            assertThat(entry.at()).isEqualTo(now());
            assertThat(entry.evidence()).isEqualTo(new HistoryEntry.Evidence(0, 0, 0, 0, Set.of(), List.of(), ""));
        });
    }

    @Test
    void a_reset_closes_forgets_all_but_the_override_and_outdates_the_probe_under_way() {
        fail(3);
        pass(Duration.ofSeconds(15));
        long token = lease();
        throttle();
        command(Action.FORCE_OPEN, Optional.empty());
        pass(Duration.ofSeconds(1));

        Change change = command(Action.RESET, Optional.empty());

        assertThat(change.transition())
                .contains(new BreakerTransition(
                        RAWG, BreakerState.OPEN, BreakerState.CLOSED, TransitionCause.OPERATOR, INSTANCE, now()));
        assertThat(change.row().standing().state()).isEqualTo(BreakerState.CLOSED);
        assertThat(change.row().standing().consecutiveFailures()).isZero();
        assertThat(change.row().standing().failingInstances()).isEmpty();
        assertThat(change.row().standing().closedAt()).contains(now());
        assertThat(change.row().holds().cooldownLeft()).isZero();
        assertThat(change.row().holds().override()).isPresent();
        assertThat(store().reportProbe(RAWG, token, ProbeVerdict.PASS, THREE)).isEmpty();
        command(Action.CLEAR_OVERRIDE, Optional.empty());
        fail(3);
        assertThat(store().reportProbe(RAWG, token, ProbeVerdict.PASS, THREE))
                .as("a verdict of the outage before")
                .isEmpty();
        assertThat(only().isOpen()).isTrue();
    }

    @Test
    void a_reset_of_a_closed_breaker_forgets_its_count_and_its_window_without_a_transition() {
        Policy ratio = THREE.toBuilder()
                .failureRatio(OptionalDouble.of(0.5))
                .minimumCalls(100)
                .build();
        store().record(RAWG, Evidence.of(outage(2)), ratio);

        Change change = command(Action.RESET, Optional.empty());

        assertThat(change.transition()).isEmpty();
        assertThat(change.row().standing()).isEqualTo(Standing.NEVER_FAILED);
        assertThat(change.row().window()).isEqualTo(Window.NONE);
        assertThat(store().readAll()).isEmpty();
        assertThat(entries().get(0).evidence().consecutiveFailures()).isEqualTo(2);
        assertThat(entries().get(0).evidence().windowFailures()).isEqualTo(2);
        assertThat(entries().get(0).evidence().lastFailures()).hasSize(1);
    }

    @Test
    void a_probe_that_would_close_a_breaker_forced_open_meanwhile_leaves_it_open() {
        fail(3);
        pass(Duration.ofSeconds(15));
        long token = lease();
        command(Action.FORCE_OPEN, Optional.empty());

        Change change =
                store().reportProbe(RAWG, token, ProbeVerdict.PASS, THREE).orElseThrow();

        assertThat(change.transition()).isEmpty();
        assertThat(change.row().isOpen()).isTrue();
        assertThat(change.row().holds().override()).isPresent();
        pass(Duration.ofDays(1));
        assertThat(store().acquireProbe(RAWG, THREE)).isEmpty();
    }

    @Test
    void an_opening_and_a_closing_tell_what_they_rest_on() {
        Policy policy = THREE.toBuilder().failureThreshold(7).build();
        List<LastFailure> last = IntStream.range(0, 7)
                .mapToObj(i -> {
                    pass(Duration.ofSeconds(1));
                    String instance = i % 2 == 0 ? INSTANCE : "two";
                    storeOf(instance)
                            .record(RAWG, Evidence.of(Failures.one(FailureKind.OUTAGE, "HTTP 50" + i)), policy);
                    return new LastFailure(now(), FailureKind.OUTAGE, "HTTP 50" + i, instance);
                })
                .toList();
        pass(Duration.ofSeconds(15));
        store().reportProbe(RAWG, lease(), ProbeVerdict.PASS, policy);

        HistoryEntry closing = entries().get(0);
        HistoryEntry opening = entries().get(1);

        assertThat(opening.evidence())
                .isEqualTo(new HistoryEntry.Evidence(
                        7,
                        0,
                        0,
                        0,
                        Set.of(INSTANCE, "two"),
                        List.of(last.get(6), last.get(5), last.get(4), last.get(3), last.get(2)),
                        PolicyText.of(policy)));
        assertThat(opening.evidence().policy()).startsWith("failure-threshold=7 failure-ratio=off window=1m ");
        assertThat(opening.cause()).isEqualTo(TransitionCause.FAILURES);
        assertThat(opening.command()).isEmpty();
        assertThat(closing.cause()).isEqualTo(TransitionCause.PROBES);
        assertThat(closing.evidence().probesPassed()).isEqualTo(1);
        assertThat(closing.evidence().lastFailures())
                .isEqualTo(opening.evidence().lastFailures());
        assertThat(closing.from()).isEqualTo(opening.to());
        assertThat(closing.id()).isGreaterThan(opening.id());
    }

    @Test
    void failures_of_before_a_success_are_no_evidence_and_a_long_text_is_cut() {
        fail(2);
        store().record(RAWG, Evidence.SUCCESS, THREE);
        store().record(RAWG, Evidence.of(new Failures(3, FailureKind.SLOW, "\ud83c\udfae".repeat(150))), THREE);

        assertThat(entries().get(0).evidence().lastFailures()).singleElement().satisfies(failure -> {
            assertThat(failure.kind()).isEqualTo(FailureKind.SLOW);
            assertThat(failure.text()).isEqualTo("\ud83c\udfae".repeat(150));
        });
        command(Action.RESET, Optional.empty());
        store().record(RAWG, Evidence.of(new Failures(3, FailureKind.SLOW, "it's \"\\ ".repeat(40))), THREE);
        assertThat(entries().get(0).evidence().lastFailures())
                .singleElement()
                .satisfies(failure -> assertThat(failure.text())
                        .isEqualTo("it's \"\\ ".repeat(40).substring(0, 200)));
    }

    @Test
    void the_history_is_read_in_pages_of_one_breaker_or_of_all() {
        for (int i = 0; i < 5; i++) {
            store().command("rawg", new OperatorCommand(Action.RESET, "ann", "no " + i, Optional.empty()));
            store().command("jikan", new OperatorCommand(Action.RESET, "ann", "no " + i, Optional.empty()));
        }

        List<HistoryEntry> page = store().history(new HistoryQuery(Optional.of("rawg"), OptionalLong.empty(), 2));
        List<HistoryEntry> next = store().history(new HistoryQuery(
                Optional.of("rawg"), OptionalLong.of(page.get(1).id()), 500));

        assertThat(page).extracting(CommandContractTest::reason).containsExactly("no 4", "no 3");
        assertThat(next).extracting(CommandContractTest::reason).containsExactly("no 2", "no 1", "no 0");
        assertThat(next).extracting(HistoryEntry::breaker).containsOnly("rawg");
        assertThat(store().history(new HistoryQuery(Optional.empty(), OptionalLong.empty(), 3)))
                .extracting(HistoryEntry::breaker)
                .containsExactly("jikan", "rawg", "jikan");
    }

    @Test
    void the_history_is_trimmed_of_what_is_older() {
        command(Action.FORCE_OPEN, Optional.empty());
        pass(MINUTE);
        command(Action.CLEAR_OVERRIDE, Optional.empty());

        assertThat(store().trimHistory(MINUTE.plusNanos(1_000))).isZero();
        assertThat(store().trimHistory(MINUTE)).isEqualTo(1);

        assertThat(entries())
                .extracting(entry -> entry.command().orElseThrow().action())
                .containsExactly(Action.CLEAR_OVERRIDE);
    }

    @Test
    void what_an_operator_says_is_kept_as_it_is() {
        String text = "it's \"? ?1 :x #y {z} $1 \\ %s \u00e4 \ud83c\udfae";
        store().command(text, new OperatorCommand(Action.FORCE_OPEN, text, text, Optional.empty()));

        assertThat(only().name()).isEqualTo(text);
        assertThat(only().holds().override().orElseThrow().by()).isEqualTo(text);
        assertThat(entries().get(0).breaker()).isEqualTo(text);
        assertThat(reason(entries().get(0))).isEqualTo(text);
    }

    private static String reason(HistoryEntry entry) {
        return entry.command().orElseThrow().reason();
    }

    private Change command(Action action, Optional<Duration> expiry) {
        return store().command(RAWG, new OperatorCommand(action, "ann", "why not", expiry));
    }

    private List<HistoryEntry> entries() {
        return store().history(new HistoryQuery(Optional.empty(), OptionalLong.empty(), HistoryQuery.MOST));
    }

    private void fail(int times) {
        store().record(RAWG, Evidence.of(outage(times)), THREE);
    }

    private void throttle() {
        Failures failure = Failures.one(FailureKind.THROTTLED, "HTTP 429");
        store().coolDown(RAWG, Optional.of(new RetryAfter.In(Duration.ofMinutes(10))), failure, THREE);
    }

    private long lease() {
        return store().acquireProbe(RAWG, THREE).orElseThrow().row().recovery().token();
    }

    private static Failures outage(int times) {
        return new Failures(times, FailureKind.OUTAGE, "HTTP 500");
    }

    private BreakerRow only() {
        assertThat(store().readAll()).hasSize(1);
        return store().readAll().get(0);
    }
}
