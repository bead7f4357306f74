package io.distributedfallback.store;

import io.distributedfallback.FailureKind;
import io.distributedfallback.OperatorCommand.Action;
import io.distributedfallback.OverrideMode;
import io.distributedfallback.core.BreakerRow;
import io.distributedfallback.core.Evidence;
import io.distributedfallback.core.Failures;
import io.distributedfallback.core.HistoryEntry;
import io.distributedfallback.core.HistoryQuery;
import io.distributedfallback.core.Policy;
import io.distributedfallback.core.SchemaMode;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

/** What a DBA types, in a session that is nobody's but a restricted role's, with another search path than the application. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class CommandFunctionsTest {

    private static final Failures FAILURES = new Failures(3, FailureKind.OUTAGE, "HTTP 503");

    private final TestPostgres postgres = TestPostgres.newDatabase();
    private JpaBreakerStore store;
    private Connection dba;

    @BeforeEach
    void start() throws SQLException {
        postgres.empty();
        store = Provider.HIBERNATE.store(postgres.dataSource(), SchemaMode.CREATE, "shop:", "one");
        store.readAll();
        postgres.execute(
                "DROP ROLE IF EXISTS on_call; CREATE ROLE on_call LOGIN; CREATE SCHEMA IF NOT EXISTS elsewhere;"
                        + " GRANT SELECT, INSERT, UPDATE ON distributed_breaker TO on_call;"
                        + " GRANT SELECT, INSERT ON distributed_breaker_transition TO on_call");
        dba = postgres.login("on_call").getConnection();
        ask("SET search_path = elsewhere; SELECT 1");
    }

    @AfterEach
    void stop() throws SQLException {
        dba.close();
        store.close();
    }

    private String ask(String sql) throws SQLException {
        try (Statement statement = dba.createStatement()) {
            boolean hasResult = statement.execute(sql);
            while (!hasResult) {
                hasResult = statement.getMoreResults();
            }
            try (ResultSet result = statement.getResultSet()) {
                result.next();
                return result.getString(1);
            }
        }
    }

    private List<HistoryEntry> history() {
        return store.history(new HistoryQuery(Optional.of("rawg"), OptionalLong.empty(), 10));
    }

    @Test
    void forces_a_breaker_for_a_while_and_instances_see_who_and_why() throws SQLException {
        String said = ask("SELECT public.distributed_breaker_force_open('shop:rawg', 'ann', 'they asked', '2 hours')");

        assertThat(said).startsWith("shop:rawg is CLOSED, FORCED_OPEN until ");
        BreakerRow row = store.readAll().get(0);
        assertThat(row.name()).isEqualTo("rawg");
        assertThat(row.holds().override()).hasValueSatisfying(override -> {
            assertThat(override.mode()).isEqualTo(OverrideMode.FORCED_OPEN);
            assertThat(override.by()).isEqualTo("ann");
            assertThat(override.reason()).isEqualTo("they asked");
            assertThat(override.left().orElseThrow()).isBetween(Duration.ofMinutes(119), Duration.ofHours(2));
        });
        assertThat(history()).singleElement().satisfies(entry -> {
            assertThat(entry.instance()).isEqualTo("sql");
            assertThat(entry.command().orElseThrow().action()).isEqualTo(Action.FORCE_OPEN);
        });
    }

    @Test
    void forces_closed_clears_and_resets() throws SQLException {
        store.record("rawg", Evidence.of(FAILURES), Policy.DEFAULT);

        assertThat(ask("SELECT public.distributed_breaker_force_closed('shop:rawg', 'ann', 'no fallback')"))
                .isEqualTo("shop:rawg is OPEN, FORCED_CLOSED until it is cleared");
        assertThat(ask("SELECT public.distributed_breaker_clear_override('shop:rawg', 'ann', 'done')"))
                .isEqualTo("shop:rawg is OPEN, not forced");
        assertThat(ask("SELECT public.distributed_breaker_reset('shop:rawg', 'ann', 'mended')"))
                .isEqualTo("shop:rawg is CLOSED, not forced");

        assertThat(store.readAll()).isEmpty();
        assertThat(history()).extracting(HistoryEntry::instance).containsExactly("sql", "sql", "sql", "one");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "'shop:rawg', 'EXPLODE', 'ann', 'why'",
                "NULL, 'RESET', 'ann', 'why'",
                "'', 'RESET', 'ann', 'why'",
                "'shop:rawg', NULL, 'ann', 'why'",
                "'shop:rawg', 'RESET', NULL, 'why'",
                "'shop:rawg', 'RESET', ' ', 'why'",
                "'shop:rawg', 'RESET', 'ann', ''",
                "'shop:rawg', 'RESET', 'ann', NULL",
                "'shop:rawg', 'RESET', 'ann', E'two\\nlines'",
                "'shop:rawg', 'RESET', repeat('x', 101), 'why'",
                "'shop:rawg', 'RESET', 'ann', repeat('x', 501)",
                "'shop:rawg', 'RESET', 'ann', 'why', '1 hour'",
                "'shop:rawg', 'FORCE_OPEN', 'ann', 'why', '0.9 seconds'",
                "'shop:rawg', 'FORCE_OPEN', 'ann', 'why', '-1 hour'",
                "'shop:rawg', 'FORCE_OPEN', 'ann', 'why', '366 days'"
            })
    void refuses_what_an_instance_would_refuse_and_changes_nothing(String arguments) throws SQLException {
        assertThatThrownBy(() -> ask("SELECT public.distributed_breaker_command(" + arguments + ")"))
                .isInstanceOfSatisfying(
                        SQLException.class,
                        failure -> assertThat(failure.getSQLState()).isEqualTo("22023"));

        assertThat(postgres.query("SELECT name FROM distributed_breaker")).isEmpty();
        assertThat(postgres.query("SELECT id FROM distributed_breaker_transition"))
                .isEmpty();
    }

    @Test
    void a_name_is_a_value_and_never_a_part_of_the_statement() throws SQLException {
        ask("SELECT public.distributed_breaker_reset('shop:x''); DROP TABLE distributed_breaker; --', 'ann', 'why')");

        assertThat(postgres.query("SELECT name FROM distributed_breaker"))
                .containsExactly("shop:x'); DROP TABLE distributed_breaker; --");
    }

    @Test
    void a_role_without_rights_on_the_tables_can_do_nothing() throws SQLException {
        postgres.execute("REVOKE UPDATE ON distributed_breaker FROM on_call");

        assertThatThrownBy(() -> ask("SELECT public.distributed_breaker_force_open('shop:rawg', 'ann', 'why')"))
                .hasMessageContaining("permission denied for table distributed_breaker");
    }
}
