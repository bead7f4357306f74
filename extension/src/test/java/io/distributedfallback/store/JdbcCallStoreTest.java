package io.distributedfallback.store;

import io.distributedfallback.core.SchemaMode;
import io.distributedfallback.core.StoreException;
import io.distributedfallback.queue.CallQuery;
import io.distributedfallback.queue.CallStore.Terms;
import io.distributedfallback.queue.NewCall;
import io.distributedfallback.queue.QueueCommand;
import io.distributedfallback.queue.QueueName;
import io.distributedfallback.queue.TakenCall;
import java.io.IOException;
import java.lang.reflect.Proxy;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.IntStream;
import javax.sql.DataSource;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

/** Stored calls on a real PostgreSQL: who gets which, when, and what becomes of it. */
class JdbcCallStoreTest {

    private static final TestPostgres POSTGRES = TestPostgres.newDatabase();
    private static final QueueName MAILS = new QueueName("mailer", "com.example.Mails#send(java.lang.String)");
    private static final Duration LEASE = Duration.ofSeconds(30);
    private static final int FAST = 1_000_000;
    private static final AtomicLong TOKENS = new AtomicLong();

    private final JdbcCallStore store = store("shop:", "one");

    @BeforeEach
    void begin() {
        // The last file again: a test takes a table away.
        new Definitions(POSTGRES).run(Schema.DEFINITIONS.size());
        POSTGRES.execute(
                "TRUNCATE distributed_queued_call, distributed_call_queue, distributed_queue_command RESTART IDENTITY");
    }

    private static JdbcCallStore store(String prefix, String instance) {
        return store(settings(prefix, instance));
    }

    private static JdbcCallStore store(JpaStoreSettings settings) {
        return new JdbcCallStore(settings, settings, () -> {});
    }

    private static JpaStoreSettings settings(String prefix, String instance) {
        return new JpaStoreSettings(
                POSTGRES::dataSource, "jdbc/shop", SchemaMode.NONE, prefix, instance, Duration.ofSeconds(20));
    }

    private void add(String key, String arguments) {
        store.store(new NewCall(MAILS, Optional.ofNullable(key), arguments, Duration.ZERO));
    }

    private List<TakenCall> take(int most) {
        return take(store, most, FAST);
    }

    private static List<TakenCall> take(JdbcCallStore from, int most, int rate) {
        return from.take(MAILS, new Terms(most, rate, LEASE, TOKENS.incrementAndGet()));
    }

    private static List<String> arguments(List<TakenCall> calls) {
        return calls.stream().map(TakenCall::arguments).toList();
    }

    /** So that a test need not wait for the pace: as if nothing had been given out for long. */
    private static void rest() {
        POSTGRES.execute("UPDATE distributed_call_queue SET paced_until = paced_until - INTERVAL '1 hour'");
    }

    @Test
    void gives_out_the_oldest_first_and_each_once() {
        for (int i = 0; i < 5; i++) {
            add(null, "[" + i + "]");
        }
        List<TakenCall> first = take(2);
        assertThat(arguments(first)).containsExactly("[0]", "[1]");
        assertThat(first).allSatisfy(call -> assertThat(call.attempt()).isEqualTo(1));
        assertThat(arguments(take(9))).containsExactly("[2]", "[3]", "[4]");
        assertThat(take(9)).isEmpty();
        assertThat(POSTGRES.query("SELECT DISTINCT breaker, stored_by FROM distributed_queued_call"))
                .containsExactly("shop:mailer one");
    }

    @Test
    void gives_out_the_next_of_a_key_when_the_one_before_has_been_made() {
        add("a", "[1]");
        add("b", "[2]");
        add("a", "[3]");
        List<TakenCall> first = take(9);
        assertThat(arguments(first)).containsExactly("[1]", "[2]");
        assertThat(store.done(first.get(1))).isTrue();
        assertThat(take(9)).isEmpty();
        assertThat(store.done(first.get(0))).isTrue();
        assertThat(arguments(take(9))).containsExactly("[3]");
    }

    @Test
    void a_call_that_waits_for_another_attempt_keeps_those_of_its_key_behind_it() {
        add("a", "[1]");
        add("a", "[2]");
        assertThat(store.again(take(1).get(0), Duration.ofHours(1), true, Optional.of("HTTP 503")))
                .isTrue();
        assertThat(take(9)).isEmpty();
        POSTGRES.execute("UPDATE distributed_queued_call SET next_attempt_at = now() - INTERVAL '1 s' WHERE id = 1");
        List<TakenCall> again = take(9);
        assertThat(arguments(again)).containsExactly("[1]");
        assertThat(again.get(0).attempt()).isEqualTo(2);
    }

    @Test
    void calls_that_another_one_of_their_key_holds_back_are_not_due() {
        add("a", "[1]");
        add("a", "[2]");
        store.again(take(1).get(0), Duration.ofHours(1), true, Optional.of("HTTP 503"));
        assertThat(store.untilNext(MAILS, FAST))
                .hasValueSatisfying(wait -> assertThat(wait).isBetween(Duration.ofMinutes(50), Duration.ofHours(1)));
        add(null, "[3]");
        assertThat(store.untilNext(MAILS, FAST)).hasValue(Duration.ZERO);
        List<TakenCall> unused = take(9);
        add("b", "[4]");
        assertThat(store.untilNext(MAILS, FAST)).hasValue(Duration.ZERO);
    }

    @Test
    void an_attempt_that_does_not_count_is_taken_back() {
        add("a", "[1]");
        store.again(take(1).get(0), Duration.ZERO, false, Optional.empty());
        TakenCall second = take(1).get(0);
        assertThat(second.attempt()).isEqualTo(1);
        store.giveBack(List.of(second));
        assertThat(take(1).get(0).attempt()).isEqualTo(1);
    }

    @Test
    void a_dead_call_is_not_given_out_and_lets_those_behind_it_go() {
        add("a", "[1]");
        add("a", "[2]");
        assertThat(store.dead(take(1).get(0), "HTTP 400")).isTrue();
        assertThat(arguments(take(9))).containsExactly("[2]");
        assertThat(POSTGRES.query("SELECT id, state, attempts, last_error, dead_at IS NOT NULL"
                        + " FROM distributed_queued_call WHERE state = 'DEAD'"))
                .containsExactly("1 DEAD 1 HTTP 400 t");
    }

    @Test
    void whoever_has_lost_the_lease_changes_nothing() {
        add(null, "[1]");
        TakenCall lost = take(1).get(0);
        POSTGRES.execute("UPDATE distributed_queued_call SET lease_until = now() - INTERVAL '1 s'");
        TakenCall taken = take(1).get(0);
        assertThat(taken.attempt()).isEqualTo(2);
        assertThat(store.done(lost)).isFalse();
        assertThat(store.again(lost, Duration.ZERO, true, Optional.empty())).isFalse();
        assertThat(store.dead(lost, "late")).isFalse();
        store.renew(List.of(lost), Duration.ofHours(5));
        store.giveBack(List.of(lost));
        assertThat(POSTGRES.query(
                        "SELECT lease_token, lease_until < now() + INTERVAL '1 h' FROM distributed_queued_call"))
                .containsExactly(taken.token() + " t");
        assertThat(store.done(taken)).isTrue();
    }

    @Test
    void a_lease_can_be_prolonged() {
        add(null, "[1]");
        store.renew(take(1), Duration.ofHours(1));
        assertThat(POSTGRES.query("SELECT lease_until > now() + INTERVAL '59 min' FROM distributed_queued_call"))
                .containsExactly("t");
    }

    @Test
    void the_rate_is_that_of_all_instances_together() {
        for (int i = 0; i < 100; i++) {
            add(null, "[" + i + "]");
        }
        JdbcCallStore other = store("shop:", "two");
        assertThat(take(store, 50, 10)).hasSize(2);
        assertThat(take(other, 50, 10)).isEmpty();
        assertThat(store.untilNext(MAILS, 10))
                .hasValueSatisfying(wait -> assertThat(wait).isBetween(Duration.ofMillis(1), Duration.ofMillis(100)));
        POSTGRES.execute("UPDATE distributed_call_queue SET paced_until = paced_until - INTERVAL '100 ms'");
        assertThat(take(other, 50, 10)).hasSize(1);
        rest();
        assertThat(take(other, 50, 1))
                .as("slower than the time that may be made up for")
                .hasSize(1);
        rest();
        assertThat(take(other, 50, 100)).hasSize(20);
    }

    @Test
    void knows_how_long_to_wait() {
        assertThat(store.untilNext(MAILS, FAST)).isEmpty();
        store.store(new NewCall(MAILS, Optional.empty(), "[]", Duration.ofSeconds(40)));
        assertThat(store.untilNext(MAILS, FAST))
                .hasValueSatisfying(wait -> assertThat(wait).isBetween(Duration.ofSeconds(30), Duration.ofSeconds(40)));
        add(null, "[]");
        assertThat(store.untilNext(MAILS, FAST)).contains(Duration.ZERO);
        take(1);
        assertThat(store.untilNext(MAILS, FAST))
                .hasValueSatisfying(wait -> assertThat(wait).isBetween(Duration.ofSeconds(20), LEASE));
    }

    @Test
    void gives_out_no_call_of_a_key_while_a_later_one_that_was_there_before_it_is_being_made() throws SQLException {
        try (Connection slow = POSTGRES.dataSource().getConnection();
                Statement statement = slow.createStatement()) {
            slow.setAutoCommit(false);
            statement.execute("INSERT INTO distributed_queued_call (breaker, method, order_key, arguments, stored_by)"
                    + " VALUES ('shop:mailer', '" + MAILS.method() + "', 'a', '[1]', 'slow')");
            add("a", "[2]");
            TakenCall later = take(9).get(0);
            slow.commit();
            assertThat(take(9)).as("one after the other").isEmpty();
            assertThat(store.untilNext(MAILS, FAST))
                    .hasValueSatisfying(wait -> assertThat(wait).isBetween(Duration.ofSeconds(20), LEASE));
            assertThat(store.done(later)).isTrue();
        }
        assertThat(arguments(take(9))).containsExactly("[1]");
    }

    @Test
    void a_dead_call_that_is_retried_waits_for_the_one_of_its_key_that_is_being_made() {
        add("a", "[1]");
        add("a", "[2]");
        store.dead(take(1).get(0), "HTTP 400");
        TakenCall later = take(9).get(0);
        new JdbcCallDesk(settings("shop:", "one"), () -> {})
                .carryOut(new QueueCommand(QueueCommand.Action.RETRY, MAILS, OptionalLong.of(1), "otto", "mended"));
        assertThat(take(9)).as("one after the other").isEmpty();
        store.done(later);
        assertThat(arguments(take(9))).containsExactly("[1]");
    }

    @Test
    void waits_for_the_first_of_a_key_and_does_not_ask_again_and_again_for_those_behind_it() {
        add("a", "[1]");
        add("a", "[2]");
        store.again(take(1).get(0), Duration.ofSeconds(40), true, Optional.empty());
        assertThat(store.untilNext(MAILS, FAST))
                .hasValueSatisfying(wait -> assertThat(wait).isBetween(Duration.ofSeconds(30), Duration.ofSeconds(40)));
        add("b", "[3]");
        assertThat(store.untilNext(MAILS, FAST)).contains(Duration.ZERO);
    }

    @Test
    void a_clock_of_the_database_that_is_set_back_does_not_stop_the_queue() {
        add(null, "[1]");
        add(null, "[2]");
        take(1);
        POSTGRES.execute("UPDATE distributed_call_queue SET paced_until = now() + INTERVAL '1 hour'");
        assertThat(store.untilNext(MAILS, FAST)).contains(Duration.ZERO);
        assertThat(arguments(take(9))).containsExactly("[2]");
    }

    @Test
    void a_connection_that_does_not_commit_by_itself_is_made_to() {
        JdbcCallStore own = store(new JpaStoreSettings(
                () -> withoutAutoCommit(POSTGRES.dataSource()),
                "jdbc/shop",
                SchemaMode.NONE,
                "shop:",
                "one",
                Duration.ofSeconds(20)));
        own.store(new NewCall(MAILS, Optional.empty(), "[1]", Duration.ZERO));
        assertThat(POSTGRES.query("SELECT arguments FROM distributed_queued_call"))
                .containsExactly("[1]");
        List<TakenCall> calls = take(own, 9, FAST);
        assertThat(arguments(calls)).containsExactly("[1]");
        assertThat(POSTGRES.query("SELECT attempts FROM distributed_queued_call"))
                .containsExactly("1");
        assertThat(own.done(calls.get(0))).isTrue();
        assertThat(POSTGRES.query("SELECT count(*) FROM distributed_queued_call"))
                .containsExactly("0");
    }

    private static DataSource withoutAutoCommit(DataSource source) {
        return (DataSource) Proxy.newProxyInstance(
                JdbcCallStoreTest.class.getClassLoader(),
                new Class<?>[] {DataSource.class},
                (proxy, method, arguments) -> {
                    Connection connection = (Connection) method.invoke(source, arguments);
                    connection.setAutoCommit(false);
                    return connection;
                });
    }

    @Test
    void the_rights_of_the_guide_are_enough() throws IOException {
        new Definitions(POSTGRES).runAll();
        POSTGRES.execute("DO $$ BEGIN IF NOT EXISTS (SELECT FROM pg_roles WHERE rolname = 'mail_clerk')"
                + " THEN CREATE ROLE mail_clerk LOGIN; END IF; END $$");
        Path grants = Path.of("../server-config/src/main/resources/postgresql/grants.sql");
        for (String statement : Files.readString(grants).split(";", -1)) {
            int start = statement.indexOf("GRANT");
            if (start >= 0) {
                POSTGRES.execute(statement.substring(start).replace(":\"app_role\"", "mail_clerk"));
            }
        }
        JpaStoreSettings limited = new JpaStoreSettings(
                () -> POSTGRES.login("mail_clerk"),
                "jdbc/shop",
                SchemaMode.NONE,
                "shop:",
                "one",
                Duration.ofSeconds(20));
        JdbcCallStore own = store(limited);
        own.store(new NewCall(MAILS, Optional.of("a"), "[1]", Duration.ZERO));
        own.store(new NewCall(MAILS, Optional.empty(), "[2]", Duration.ZERO));
        assertThat(own.untilNext(MAILS, FAST)).contains(Duration.ZERO);
        List<TakenCall> calls = take(own, 9, FAST);
        assertThat(own.renew(calls, LEASE)).containsExactlyInAnyOrder(1L, 2L);
        own.giveBack(calls.subList(1, 2));
        assertThat(own.dead(calls.get(0), "HTTP 400")).isTrue();
        JdbcCallDesk desk = new JdbcCallDesk(limited, () -> {});
        assertThat(desk.counts()).hasSize(1);
        assertThat(desk.list(new CallQuery(Optional.empty(), Optional.empty(), OptionalLong.empty(), 9)))
                .hasSize(2);
        for (QueueCommand.Action action : QueueCommand.Action.values()) {
            assertThat(desk.carryOut(new QueueCommand(action, MAILS, OptionalLong.of(1), "otto", "because")))
                    .isEqualTo(1);
        }
        rest();
        assertThat(own.done(take(own, 9, FAST).get(0))).isTrue();
    }

    @Test
    void texts_are_values_and_never_part_of_a_statement() {
        String text = "'); DROP TABLE distributed_queued_call; --\u2028\ud83d\ude00";
        add(text, "[\"" + text + "\"]");
        TakenCall call = take(1).get(0);
        assertThat(call.arguments()).isEqualTo("[\"" + text + "\"]");
        store.again(call, Duration.ZERO, true, Optional.of(text));
        assertThat(store.dead(take(1).get(0), text)).isTrue();
        assertThat(POSTGRES.query("SELECT order_key = last_error FROM distributed_queued_call"))
                .containsExactly("t");
    }

    @Test
    void queues_and_applications_do_not_mix() {
        add(null, "[1]");
        assertThat(take(store("", "other"), 9, FAST)).isEmpty();
        assertThat(store.take(new QueueName("mailer", "another"), new Terms(9, FAST, LEASE, 7)))
                .isEmpty();
        assertThat(take(9)).hasSize(1);
    }

    @Test
    void says_what_is_wrong_when_the_tables_are_missing() {
        POSTGRES.execute("DROP TABLE distributed_queued_call");
        assertThatThrownBy(() -> add(null, "[1]"))
                .isInstanceOf(StoreException.class)
                .hasMessageContaining("DFB303")
                .hasMessageContaining("V6__call_queue.sql");
    }

    @Test
    void eight_threads_make_every_call_once_and_those_of_a_key_in_order() throws Exception {
        int keys = 20;
        int calls = 150;
        for (int i = 0; i < calls; i++) {
            add(i % 3 == 0 ? null : "key-" + i % keys, Integer.toString(i));
        }
        Map<String, List<Integer>> made = new ConcurrentHashMap<>();
        Set<Integer> seen = ConcurrentHashMap.newKeySet();
        try (Together together = new Together(8);
                TestPool pool = new TestPool(POSTGRES.dataSource(), "")) {
            List<JdbcCallStore> stores = IntStream.range(0, 4)
                    .mapToObj(i -> store(new JpaStoreSettings(
                            () -> pool, "jdbc/shop", SchemaMode.NONE, "shop:", "i" + i, Duration.ofSeconds(20))))
                    .toList();
            together.run(thread -> () -> {
                JdbcCallStore own = stores.get(thread % 4);
                while (own.untilNext(MAILS, FAST).isPresent()) {
                    for (TakenCall call : take(own, 5, FAST)) {
                        int number = Integer.parseInt(call.arguments());
                        assertThat(seen.add(number))
                                .as("call %s is made once", number)
                                .isTrue();
                        if (number % 3 != 0) {
                            made.computeIfAbsent("key-" + number % keys, key -> new ArrayList<>())
                                    .add(number);
                        }
                        assertThat(own.done(call)).isTrue();
                    }
                }
                return null;
            });
        }
        assertThat(seen).hasSize(calls);
        assertThat(made.values()).allSatisfy(order -> assertThat(order).isSorted());
        Map<String, Set<Integer>> expected = new HashMap<>();
        IntStream.range(0, calls)
                .filter(i -> i % 3 != 0)
                .forEach(i -> expected.computeIfAbsent("key-" + i % keys, key -> new HashSet<>())
                        .add(i));
        assertThat(made.keySet()).isEqualTo(expected.keySet());
    }
}
