package io.distributedfallback.core;

import io.distributedfallback.FailureKind;
import io.distributedfallback.OperatorCommand;
import io.distributedfallback.OperatorCommand.Action;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

class MemoryBreakerStoreTest extends BreakerStoreContractTest {

    private static final Instant EPOCH = Instant.parse("2026-11-30T12:00:00Z");

    private long nanos = -7;
    private final MemoryBreakerStore store = new MemoryBreakerStore(() -> nanos, EPOCH, INSTANCE);

    @Override
    protected BreakerStore store() {
        return store;
    }

    @Override
    protected BreakerStore storeOf(String instance) {
        return store.sharedBy(instance);
    }

    @Override
    protected void pass(Duration time) {
        nanos += time.toNanos();
    }

    @Override
    protected Instant now() {
        return EPOCH.plusNanos(nanos + 7);
    }

    @Test
    void keeps_the_last_thousand_entries_of_the_history() {
        for (int i = 0; i < 1_002; i++) {
            store.command("rawg", new OperatorCommand(Action.RESET, "ann", "no " + i, Optional.empty()));
        }

        List<HistoryEntry> oldest = store.history(new HistoryQuery(Optional.empty(), OptionalLong.of(4), 10));

        assertThat(oldest).extracting(HistoryEntry::id).containsExactly(3L);
    }

    @Test
    void an_override_is_adopted_and_ends_when_it_says() {
        store.command(
                "rawg", new OperatorCommand(Action.FORCE_OPEN, "ann", "down", Optional.of(Duration.ofMinutes(1))));
        List<BreakerRow> read = store.readAll();

        store.adopt(read);

        assertThat(store.readAll()).isEqualTo(read);
        pass(Duration.ofMinutes(1));
        assertThat(store.readAll()).isEmpty();
    }

    @Test
    void adopts_rows_with_what_remains_of_them_from_now_on() {
        Failures failures = new Failures(3, FailureKind.OUTAGE, "HTTP 500");
        MemoryBreakerStore origin = new MemoryBreakerStore(() -> 0, EPOCH.minusSeconds(3600), "other");
        origin.record("rawg", Evidence.of(failures), Policy.DEFAULT);
        List<BreakerRow> read = origin.readAll();
        pass(Duration.ofHours(5));

        store.adopt(read);

        assertThat(store.readAll()).isEqualTo(read);
        pass(Duration.ofSeconds(14));
        assertThat(store.acquireProbe("rawg", Policy.DEFAULT)).isEmpty();
        pass(Duration.ofSeconds(1));
        assertThat(store.acquireProbe("rawg", Policy.DEFAULT)).isPresent();
    }

    @Test
    void a_closing_that_it_adopts_was_by_another_clock_and_makes_nothing_void() {
        Evidence failures = Evidence.of(new Failures(3, FailureKind.OUTAGE, "HTTP 503"));
        Optional<Change> opened = store.record("rawg", failures, Policy.DEFAULT);
        assertThat(opened).isPresent();
        store.command("rawg", new OperatorCommand(Action.RESET, "ann", "it is well", Optional.empty()));
        store.adopt(List.of(store.command("rawg", new OperatorCommand(Action.RESET, "ann", "still", Optional.empty()))
                .row()));

        assertThat(store.record("rawg", failures.ofAge(Duration.ofHours(1)), Policy.DEFAULT)
                        .orElseThrow()
                        .transition())
                .isPresent();
    }

    @Test
    void forgets_everything_else_when_it_adopts() {
        store.record("rawg", Evidence.of(Failures.one(FailureKind.OUTAGE, "HTTP 500")), Policy.DEFAULT);

        store.adopt(List.of(BreakerRow.absent("jikan")));

        assertThat(store.readAll()).isEmpty();
        assertThat(store.record("rawg", Evidence.SUCCESS, Policy.DEFAULT)).isEmpty();
    }

    @Test
    void a_lease_granted_after_adoption_has_another_token_than_any_before() {
        store.record("rawg", Evidence.of(new Failures(3, FailureKind.OUTAGE, "HTTP 500")), Policy.DEFAULT);
        pass(Duration.ofSeconds(15));
        BreakerRow leased =
                store.acquireProbe("rawg", Policy.DEFAULT).orElseThrow().row();
        store.adopt(List.of(leased));
        pass(Duration.ofSeconds(10));

        BreakerRow again =
                store.acquireProbe("rawg", Policy.DEFAULT).orElseThrow().row();

        assertThat(again.recovery().token()).isGreaterThan(leased.recovery().token());
    }
}
