package io.distributedfallback.store;

import io.distributedfallback.FailureKind;
import io.distributedfallback.FallbackLimit.Scope;
import io.distributedfallback.OperatorCommand;
import io.distributedfallback.OperatorCommand.Action;
import io.distributedfallback.core.BreakerName;
import io.distributedfallback.core.BreakerRow;
import io.distributedfallback.core.Evidence;
import io.distributedfallback.core.Failures;
import io.distributedfallback.core.HistoryEntry;
import io.distributedfallback.core.HistoryQuery;
import io.distributedfallback.core.Policy;
import io.distributedfallback.core.ProbeVerdict;
import io.distributedfallback.core.SchemaMode;
import io.distributedfallback.core.StoreException;
import io.distributedfallback.fuzz.Fuzz;
import io.distributedfallback.limit.LimitSettings;
import io.distributedfallback.queue.CallQuery;
import io.distributedfallback.queue.CallStore.Terms;
import io.distributedfallback.queue.NewCall;
import io.distributedfallback.queue.QueueName;
import io.distributedfallback.queue.TakenCall;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.postgresql.PGConnection;
import org.postgresql.PGNotification;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

/** A name is a value in every statement, whatever it holds: it comes back as it went in, and is nobody else's. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
@Tag("storm")
@Timeout(120)
class NamesTest {

    private static final List<String> NAMES = List.of(
            "rawg",
            "RAWG",
            "ra\u0301wg",
            "r\u00e1wg",
            "x'); DROP TABLE distributed_breaker; --",
            "\"rawg\"",
            "ra\\wg",
            "ra\\\\wg",
            "%",
            "_",
            "ra%",
            "$$ra$$",
            "?",
            "?1",
            ":x",
            "{0}",
            "%s",
            "E'\\n'",
            "\u65e5\u672c \ud83c\udfae",
            "/* rawg",
            "rawg[a'b]",
            "null",
            "x".repeat(200));

    private final TestPostgres postgres = TestPostgres.newDatabase();
    private final AtomicLong tokens = new AtomicLong();
    private TestPool pool;

    @BeforeAll
    void start() {
        new Definitions(postgres).runAll();
        pool = new TestPool(postgres.dataSource(), "");
    }

    @AfterAll
    void stop() throws SQLException {
        pool.close();
    }

    @BeforeEach
    void forget() {
        postgres.execute("TRUNCATE distributed_breaker, distributed_breaker_transition, distributed_fallback_permit,"
                + " distributed_queued_call, distributed_call_queue, distributed_queue_command");
    }

    private JpaBreakerStore open(Provider provider, String prefix) {
        return provider.store(pool, SchemaMode.NONE, prefix, "one");
    }

    @ParameterizedTest
    @EnumSource(Provider.class)
    void every_statement_takes_every_name_for_itself(Provider provider) {
        try (JpaBreakerStore store = open(provider, "")) {
            for (String name : NAMES) {
                goThroughAll(store, name);
            }
            assertThat(store.readAll()).extracting(BreakerRow::name).containsExactlyInAnyOrderElementsOf(NAMES);
            for (String name : NAMES) {
                assertThat(historyOf(store, name))
                        .hasSize(3)
                        .allSatisfy(entry -> assertThat(entry.breaker()).isEqualTo(name));
            }
            assertThat(store.retire(Duration.ofDays(1))).isZero();
        }
    }

    /** Opens, pauses, probes, closes, forces. */
    private static void goThroughAll(JpaBreakerStore store, String name) {
        Policy policy = Policy.DEFAULT.toBuilder()
                .probeInterval(Duration.ofNanos(1_000))
                .probeSuccesses(1)
                .build();
        store.record(name, Evidence.of(new Failures(3, FailureKind.OUTAGE, "HTTP 503 " + name)), policy);
        long token =
                store.acquireProbe(name, policy).orElseThrow().row().recovery().token();
        assertThat(store.reportProbe(name, token, ProbeVerdict.PASS, policy)).isPresent();
        store.coolDown(name, Optional.empty(), Failures.one(FailureKind.THROTTLED, name), policy);
        store.record(name, Evidence.SUCCESS, policy);
        store.command(name, new OperatorCommand(Action.FORCE_OPEN, "ann " + firstOf(name), name, Optional.empty()));
    }

    private static String firstOf(String name) {
        return name.substring(0, Math.min(40, name.length()));
    }

    private static List<HistoryEntry> historyOf(JpaBreakerStore store, String name) {
        return store.history(new HistoryQuery(Optional.of(name), OptionalLong.empty(), 10));
    }

    @ParameterizedTest
    @ValueSource(strings = {"a'b%_", "\\$1:?1"})
    void a_prefix_is_a_value_too_and_parts_those_who_have_another(String prefix) {
        try (JpaBreakerStore own = open(Provider.HIBERNATE, prefix);
                JpaBreakerStore others = open(Provider.HIBERNATE, "zz:")) {
            goThroughAll(own, "rawg");
            goThroughAll(others, "rawg");

            assertThat(own.readAll()).singleElement().returns("rawg", BreakerRow::name);
            assertThat(historyOf(own, "rawg")).hasSize(3);
        }
    }

    @Test
    void limits_and_queues_take_every_name_for_itself() {
        JpaStoreSettings settings =
                new JpaStoreSettings(() -> pool, "jdbc/shop", SchemaMode.NONE, "", "one", Duration.ofSeconds(20));
        JdbcCallStore calls = new JdbcCallStore(settings, settings, () -> {});
        JdbcCallDesk desk = new JdbcCallDesk(settings, () -> {});
        try (JpaBreakerStore store = open(Provider.HIBERNATE, "")) {
            for (String name : NAMES) {
                LimitSettings limit = new LimitSettings(name, 100, Scope.CLUSTER, 20, 0, Duration.ZERO);
                assertThat(store.permits().take(limit, 20).permits()).as(name).isEqualTo(20);
                QueueName queue = new QueueName(name, name);
                calls.store(new NewCall(queue, Optional.of(name), "[\"" + NAMES.indexOf(name) + "\"]", Duration.ZERO));
            }
            for (String name : NAMES) {
                List<TakenCall> taken = calls.take(
                        new QueueName(name, name),
                        new Terms(5, 1_000_000, Duration.ofSeconds(30), tokens.incrementAndGet()));
                assertThat(taken).singleElement().returns("[\"" + NAMES.indexOf(name) + "\"]", TakenCall::arguments);
                assertThat(desk.list(new CallQuery(Optional.of(name), Optional.empty(), OptionalLong.empty(), 10)))
                        .singleElement()
                        .satisfies(call -> assertThat(call.key()).contains(name));
            }
        }
    }

    @Test
    void names_that_differ_stay_different_breakers() {
        try (JpaBreakerStore store = open(Provider.HIBERNATE, "")) {
            Set<String> names = new LinkedHashSet<>();
            Fuzz.run(60, fuzz -> {
                String name = fuzz.text(6);
                if (BreakerName.flaw(name).isEmpty()) {
                    store.record(name, Evidence.of(Failures.one(FailureKind.OUTAGE, "HTTP 500")), Policy.DEFAULT);
                    names.add(name);
                }
            });
            assertThat(store.readAll()).extracting(BreakerRow::name).containsExactlyInAnyOrderElementsOf(names);
        }
    }

    @Test
    void a_text_of_an_operator_comes_back_as_it_was_said() {
        try (JpaBreakerStore store = open(Provider.HIBERNATE, "")) {
            Fuzz.run(40, fuzz -> {
                String text = fuzz.text(8);
                OperatorCommand command;
                try {
                    command = new OperatorCommand(Action.RESET, "ann", text, Optional.empty());
                } catch (IllegalArgumentException refused) {
                    return;
                }
                store.command("rawg", command);
                assertThat(historyOf(store, "rawg")
                                .get(0)
                                .command()
                                .orElseThrow()
                                .reason())
                        .isEqualTo(text);
            });
        }
    }

    @Test
    void the_channel_carries_every_name() throws SQLException {
        try (JpaBreakerStore store = open(Provider.HIBERNATE, "");
                Connection listener = postgres.dataSource().getConnection();
                Statement statement = listener.createStatement()) {
            statement.execute("LISTEN distributed_breaker");
            NAMES.forEach(name ->
                    store.record(name, Evidence.of(new Failures(3, FailureKind.OUTAGE, "HTTP 503")), Policy.DEFAULT));
            List<String> heard = new ArrayList<>();
            while (heard.size() < NAMES.size()) {
                PGNotification[] notices = listener.unwrap(PGConnection.class).getNotifications(100);
                Stream.ofNullable(notices).flatMap(Arrays::stream).forEach(notice -> heard.add(notice.getParameter()));
            }
            assertThat(heard).containsExactlyElementsOf(NAMES);
        }
    }

    /** No name has one, for none is let in; what would get past that is refused by PostgreSQL, and said. */
    @ParameterizedTest
    @EnumSource(Provider.class)
    void what_postgresql_cannot_store_is_a_problem_with_a_code_and_changes_nothing(Provider provider) {
        try (JpaBreakerStore store = open(provider, "")) {
            assertThatThrownBy(() ->
                            store.record("ra\0wg", Evidence.of(Failures.one(FailureKind.OUTAGE, "x")), Policy.DEFAULT))
                    .isInstanceOf(StoreException.class)
                    .hasMessageStartingWith("DFB306")
                    .satisfies(
                            failure -> assertThat(failure.getMessage().chars().noneMatch(Character::isISOControl))
                                    .isTrue());
            assertThat(store.readAll()).isEmpty();
        }
    }
}
