package io.distributedfallback.store;

import io.distributedfallback.FailureKind;
import io.distributedfallback.FallbackLimit.Scope;
import io.distributedfallback.OperatorCommand;
import io.distributedfallback.OperatorCommand.Action;
import io.distributedfallback.RetryAfter;
import io.distributedfallback.core.ChangeFeed;
import io.distributedfallback.core.Evidence;
import io.distributedfallback.core.Failures;
import io.distributedfallback.core.HistoryQuery;
import io.distributedfallback.core.Policy;
import io.distributedfallback.core.ProbeVerdict;
import io.distributedfallback.core.ProblemCode;
import io.distributedfallback.core.SchemaMode;
import io.distributedfallback.core.StoreException;
import io.distributedfallback.limit.LimitSettings;
import io.distributedfallback.queue.CallQuery;
import io.distributedfallback.queue.CallStore.Terms;
import io.distributedfallback.queue.NewCall;
import io.distributedfallback.queue.QueueCommand;
import io.distributedfallback.queue.QueueName;
import io.distributedfallback.queue.TakenCall;
import io.distributedfallback.store.GrantedRights.OnTable;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.postgresql.ds.PGSimpleDataSource;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

/**
 * The rights of the application's role are those of the guide: with exactly these all works, without any one of them
 * something does not, and says so. The tables are another role's, in a schema of theirs, and PUBLIC has no right that is not
 * PostgreSQL's own.
 */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
@Tag("storm")
class RightsTest {

    private static final Set<String> WRITES =
            Set.of("fail", "succeed", "pause", "probe", "command", "tidy up breakers");
    private static final Set<String> STORE = Set.of(
            "validate",
            "read",
            "fail",
            "succeed",
            "pause",
            "probe",
            "command",
            "history",
            "tidy up breakers",
            "tidy up history",
            "limit");
    private static final Set<String> CALLS = Set.of("store a call", "make calls", "look after calls");
    private static final String DISTINCT = Long.toString(System.nanoTime(), 36);
    private static final String OWNER = "owner_" + DISTINCT;
    private static final String APP = "app_" + DISTINCT;
    private static final QueueName MAILS = new QueueName("mailer", "com.example.Mails#send(java.lang.String)");
    private static final Duration TIMEOUT = Duration.ofSeconds(20);
    private static final Failures OUTAGE = new Failures(3, FailureKind.OUTAGE, "HTTP 503");

    private final TestPostgres postgres = TestPostgres.newDatabase();
    private JpaBreakerStore store;

    @BeforeAll
    void createTables() {
        for (String role : List.of(OWNER, APP)) {
            postgres.execute("CREATE ROLE " + role + " LOGIN NOINHERIT NOSUPERUSER NOCREATEDB NOCREATEROLE;"
                    + "ALTER ROLE " + role + " SET search_path = fallbacks");
        }
        postgres.execute("REVOKE ALL ON SCHEMA public FROM PUBLIC; CREATE SCHEMA fallbacks;"
                + " GRANT USAGE, CREATE ON SCHEMA fallbacks TO " + OWNER + "; SET search_path = fallbacks");
        createTablesAs(OWNER);
        store = open();
    }

    private void createTablesAs(String role) {
        try (JpaBreakerStore owners =
                Provider.HIBERNATE.store(postgres.login(role), SchemaMode.CREATE, "", "migration")) {
            owners.requireTables();
        }
    }

    @AfterAll
    void dropRoles() {
        store.close();
        postgres.execute("DROP OWNED BY " + APP + ", " + OWNER + " CASCADE; DROP ROLE " + APP + ", " + OWNER);
    }

    @BeforeEach
    void grantNothing() {
        postgres.execute("REVOKE ALL ON ALL TABLES IN SCHEMA fallbacks FROM " + APP
                + "; TRUNCATE distributed_breaker, distributed_breaker_transition, distributed_queued_call,"
                + " distributed_queue_command RESTART IDENTITY");
        GrantedRights.statements("SCHEMA")
                .forEach(grant -> postgres.execute(
                        grant.replace("the_schema", "fallbacks").replace("the_role", APP)));
    }

    private JpaBreakerStore open() {
        return Provider.HIBERNATE.store(postgres.login(APP), SchemaMode.VALIDATE, "", "one");
    }

    private void grant(OnTable right) {
        postgres.execute(right.grantTo(APP));
    }

    private void grantAll() {
        GrantedRights.onTables().forEach(this::grant);
    }

    /** All that an application ever asks of its database, by name. */
    private Map<String, Runnable> operations() {
        Map<String, Runnable> operations = new LinkedHashMap<>();
        operations.put("validate", () -> {
            try (JpaBreakerStore another = open()) {
                another.requireTables();
            }
        });
        operations.put("read", store::readAll);
        operations.put("fail", () -> store.record("failing", Evidence.of(OUTAGE), Policy.DEFAULT));
        operations.put("succeed", () -> {
            store.record("succeeding", Evidence.of(Failures.one(FailureKind.OUTAGE, "HTTP 500")), Policy.DEFAULT);
            store.record("succeeding", Evidence.SUCCESS, Policy.DEFAULT);
        });
        operations.put(
                "pause",
                () -> store.coolDown(
                        "pausing",
                        Optional.of(new RetryAfter.In(Duration.ofMinutes(1))),
                        Failures.one(FailureKind.THROTTLED, "HTTP 429"),
                        Policy.DEFAULT));
        operations.put("probe", this::probe);
        operations.put(
                "command",
                () -> store.command("told", new OperatorCommand(Action.RESET, "ann", "mended", Optional.empty())));
        operations.put("history", () -> {
            store.history(new HistoryQuery(Optional.empty(), OptionalLong.empty(), 10));
            store.history(new HistoryQuery(Optional.of("failing"), OptionalLong.empty(), 10));
        });
        operations.put("tidy up breakers", () -> store.retire(Duration.ofDays(1)));
        operations.put("tidy up history", () -> store.trimHistory(Duration.ofDays(1)));
        operations.put("limit", this::limit);
        operations.put("store a call", () -> calls().store(new NewCall(MAILS, Optional.empty(), "[]", Duration.ZERO)));
        operations.put("make calls", this::makeCalls);
        operations.put("look after calls", this::lookAfterCalls);
        return operations;
    }

    private void probe() {
        Policy eager =
                Policy.DEFAULT.toBuilder().probeInterval(Duration.ofMillis(1)).build();
        store.record("probed", Evidence.of(OUTAGE), eager);
        store.acquireProbe("probed", eager)
                .ifPresent(lease ->
                        store.reportProbe("probed", lease.row().recovery().token(), ProbeVerdict.PASS, Policy.DEFAULT));
    }

    private void limit() {
        LimitSettings limit = new LimitSettings("igdb", 100, Scope.CLUSTER, 20, 0, Duration.ZERO);
        assertThat(store.permits().take(limit, 1).permits()).isEqualTo(1);
        store.permits().pause(limit, new RetryAfter.In(Duration.ofMillis(1)), Duration.ofMinutes(1));
    }

    private JpaStoreSettings settings() {
        return new JpaStoreSettings(() -> postgres.login(APP), "jdbc/shop", SchemaMode.NONE, "", "one", TIMEOUT);
    }

    private JdbcCallStore calls() {
        return new JdbcCallStore(settings(), settings(), () -> {});
    }

    private void makeCalls() {
        JdbcCallStore calls = calls();
        List<TakenCall> taken = calls.take(MAILS, new Terms(1, 1000, Duration.ofSeconds(30), 1));
        calls.renew(taken, Duration.ofSeconds(30));
        taken.forEach(call -> calls.again(call, Duration.ZERO, true, Optional.of("HTTP 503")));
        calls.untilNext(MAILS, 1000);
        List<TakenCall> again = calls.take(MAILS, new Terms(1, 1000, Duration.ofSeconds(30), 2));
        calls.giveBack(again);
        calls.dead(new TakenCall(0, "[]", 1, Duration.ZERO, 1), "HTTP 422");
        calls.done(new TakenCall(0, "[]", 1, Duration.ZERO, 1));
    }

    private void lookAfterCalls() {
        JdbcCallDesk desk = new JdbcCallDesk(settings(), () -> {});
        desk.counts();
        desk.list(new CallQuery(Optional.empty(), Optional.empty(), OptionalLong.empty(), 10));
        desk.carryOut(new QueueCommand(QueueCommand.Action.RETRY, MAILS, OptionalLong.empty(), "ann", "mended"));
        desk.carryOut(new QueueCommand(QueueCommand.Action.DISCARD, MAILS, OptionalLong.of(1), "ann", "old"));
    }

    /** What does not work, each by its code. */
    private Map<String, ProblemCode> refused() {
        Map<String, ProblemCode> refused = new LinkedHashMap<>();
        operations().forEach((name, operation) -> {
            try {
                operation.run();
            } catch (StoreException e) {
                refused.put(name, e.code());
            }
        });
        return refused;
    }

    @Test
    void with_the_rights_of_the_guide_all_works() {
        grantAll();

        assertThat(refused()).isEmpty();
        assertThat(postgres.query("SELECT name FROM distributed_breaker"))
                .contains("failing", "succeeding", "pausing", "probed", "told");
        assertThat(postgres.query("SELECT DISTINCT action FROM distributed_queue_command"))
                .isNotEmpty();
    }

    static List<OnTable> rights() {
        return GrantedRights.onTables();
    }

    @ParameterizedTest
    @MethodSource("rights")
    void without_any_one_of_them_something_is_refused_and_nothing_that_has_no_need_of_it(OnTable right) {
        GrantedRights.onTables().stream().filter(other -> !other.equals(right)).forEach(this::grant);

        Map<String, ProblemCode> refused = refused();

        assertThat(refused).as("%s is superfluous", right).isNotEmpty();
        assertThat(Set.copyOf(refused.values())).containsExactly(ProblemCode.DFB304);
        assertThat(needing(right)).as(right.toString()).containsAll(refused.keySet());
    }

    /** What is validated first is all that goes through the store of the breakers. */
    private static Set<String> needing(OnTable right) {
        String tidying = right.table().equals("distributed_breaker") ? "tidy up breakers" : "tidy up history";
        return switch (right.table()) {
            case "distributed_breaker", "distributed_breaker_transition" ->
                switch (right.right()) {
                    case "SELECT" -> STORE;
                    case "DELETE" -> Set.of(tidying);
                    default -> WRITES;
                };
            case "distributed_fallback_permit" -> Set.of("limit");
            default -> CALLS;
        };
    }

    @Test
    void with_those_on_the_tables_of_the_breakers_alone_limits_and_stored_calls_are_refused_and_all_else_works() {
        GrantedRights.onTables().stream()
                .filter(right -> right.table().startsWith("distributed_breaker"))
                .forEach(this::grant);

        assertThat(refused())
                .containsOnlyKeys("limit", "store a call", "make calls", "look after calls")
                .containsValue(ProblemCode.DFB304)
                .allSatisfy((name, code) -> assertThat(code).isEqualTo(ProblemCode.DFB304));
    }

    @Test
    void no_right_on_the_schema_is_as_if_there_were_no_tables() {
        grantAll();
        postgres.execute("REVOKE USAGE ON SCHEMA fallbacks FROM " + APP);

        assertThatThrownBy(store::readAll)
                .isInstanceOf(StoreException.class)
                .hasMessageContaining("DFB303")
                .hasMessageContaining("USAGE");
    }

    @Test
    void where_functions_are_not_for_everybody_the_one_for_commands_is_needed() {
        grantAll();
        postgres.execute("REVOKE EXECUTE ON ALL FUNCTIONS IN SCHEMA fallbacks FROM PUBLIC, " + APP);

        assertThat(refused()).isEqualTo(Map.of("command", ProblemCode.DFB304));
        assertThatThrownBy(operations().get("command")::run).hasMessageContaining("EXECUTE");

        List<String> grants = GrantedRights.statements("FUNCTION");
        assertThat(grants).isNotEmpty();
        grants.forEach(grant -> postgres.execute(grant.replace("the_role", APP)));
        assertThat(refused()).isEmpty();
    }

    @Test
    void it_hears_of_changes_with_no_further_right() throws Exception {
        grantAll();
        PGSimpleDataSource application = postgres.login(APP);
        BlockingQueue<String> heard = new LinkedBlockingQueue<>();
        try (RealThreads threads = new RealThreads();
                NotifyFeed feed = new NotifyFeed(settings(application), threads, System::nanoTime)) {
            threads.run(() -> feed.listen(new ChangeFeed.Ears() {
                @Override
                public void listening() {
                    heard.add("listening");
                }

                @Override
                public void changed() {
                    heard.add("changed");
                }
            }));
            assertThat(heard.poll(20, TimeUnit.SECONDS)).isEqualTo("listening");
            store.record("rawg", Evidence.of(OUTAGE), Policy.DEFAULT);
            assertThat(heard.poll(20, TimeUnit.SECONDS)).isEqualTo("changed");
        }
    }

    private static JpaStoreSettings settings(PGSimpleDataSource dataSource) {
        return new JpaStoreSettings(() -> dataSource, "jdbc/breakers", SchemaMode.NONE, "", "one", TIMEOUT);
    }

    /** Of what is made by schema=create or by a migration: with the default search path tables go where "$user" leads. */
    @Test
    void commands_find_the_tables_also_where_the_owners_own_schema_has_them() {
        String self = "self_" + DISTINCT;
        postgres.execute("CREATE ROLE " + self + " LOGIN; CREATE SCHEMA AUTHORIZATION " + self);
        createTablesAs(self);
        postgres.execute("SET search_path = " + self + "; ALTER ROLE " + APP + " SET search_path = " + self
                + "; GRANT USAGE ON SCHEMA " + self + " TO " + APP);
        grantAll();
        try (JpaBreakerStore application = open()) {
            application.command("rawg", new OperatorCommand(Action.FORCE_OPEN, "ann", "why", Optional.empty()));

            assertThat(application.readAll()).hasSize(1);
        } finally {
            postgres.execute("SET search_path = fallbacks; ALTER ROLE " + APP + " SET search_path = fallbacks;"
                    + " DROP OWNED BY " + self + " CASCADE; DROP ROLE " + self);
        }
    }

    @Test
    void applications_with_a_schema_each_do_not_see_each_other() {
        grantAll();
        String other = "other_" + DISTINCT;
        postgres.execute("CREATE ROLE " + other + " LOGIN; CREATE SCHEMA " + other + " AUTHORIZATION " + other);
        try (JpaBreakerStore others = Provider.HIBERNATE.store(postgres.login(other), SchemaMode.CREATE, "", "two")) {
            OperatorCommand force = new OperatorCommand(Action.FORCE_OPEN, "ann", "why", Optional.empty());
            others.command("rawg", force);
            store.command("igdb", force);

            assertThat(others.readAll()).singleElement().returns("rawg", row -> row.name());
            assertThat(store.readAll()).singleElement().returns("igdb", row -> row.name());
        } finally {
            postgres.execute("DROP OWNED BY " + other + " CASCADE; DROP ROLE " + other);
        }
    }
}
