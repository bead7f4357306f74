package io.distributedfallback.it.faults;

import io.distributedfallback.DistributedFallback;
import io.distributedfallback.it.faults.Round.Plan;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tables of version 3 with an open breaker, from which three instances start at once, while a transaction that has read
 * them is still under way: who upgrades has to wait for it. Later the tables change beneath the instances.
 */
@Tag("faults")
class UpgradeUnderLoadIT {

    private static final List<String> OLD =
            List.of("V1__distributed_breaker.sql", "V2__active_breakers.sql", "V3__commands_and_history.sql");
    private static final String OPEN = """
            WITH opened AS (
              INSERT INTO distributed_breaker (name, version, state, consecutive_failures, failure_threshold, opened_at,
                  next_probe_at, transition_version, updated_at)
              SELECT 'catalogue', v, 'OPEN', 3, 3, m, m + INTERVAL '400 milliseconds', v, m
                FROM (SELECT clock_timestamp() AS m,
                             CAST(extract(epoch FROM clock_timestamp()) * 1000000 AS bigint) AS v) AS now
              RETURNING *)
            INSERT INTO distributed_breaker_transition (breaker, version, from_state, to_state, cause, instance, made_at,
                evidence_count)
            SELECT name, version, 'CLOSED', 'OPEN', 'FAILURES', 'old', opened_at, 3 FROM opened""";
    private static final long READING_MILLIS = 8_000;

    private static CabledPostgres database;
    private static World world;
    private static List<Records.Entry> upgrade;

    static List<Fault> faults() {
        return RollingFaults.all();
    }

    @BeforeAll
    static void start() throws Exception {
        database = new CabledPostgres(3);
        try (Connection connection = database.connect();
                Statement statement = connection.createStatement()) {
            statement.execute("SET ROLE " + CabledPostgres.ROLE);
            for (String definition : OLD) {
                statement.execute(text(definition));
            }
            statement.execute(OPEN);
        }
        Connection report = database.connect();
        report.setAutoCommit(false);
        report.createStatement().execute("SELECT count(*) FROM distributed_breaker");
        Thread end = new Thread(() -> end(report), "report");
        end.start();
        world = World.open("upgrade", database, 3);
        end.join();
        world.recover(Duration.ofSeconds(45));
        // The rounds begin with a closed breaker.
        Records unused = world.takeStock(System.nanoTime());
        world.goOn();
        // The world has taken stock already: so somebody else reads the history from its beginning.
        upgrade = new Archive(database).news();
    }

    private static String text(String definition) throws Exception {
        try (InputStream file = Objects.requireNonNull(
                DistributedFallback.class.getResourceAsStream("store/postgresql/" + definition), definition)) {
            return new String(file.readAllBytes(), StandardCharsets.UTF_8);
        }
    }

    private static void end(Connection report) {
        Round.pass(READING_MILLIS);
        try (report) {
            report.rollback();
        } catch (SQLException e) {
            throw new IllegalStateException(e);
        }
    }

    @AfterAll
    static void close() {
        if (world != null) {
            world.close();
        } else {
            database.close();
        }
    }

    @Test
    void what_was_open_stayed_so_and_closed_once_by_probes() throws Exception {
        assertThat(world.archive().tables()).contains("distributed_queue_command");
        assertThat(upgrade.stream().filter(entry -> entry.breaker().equals("catalogue")))
                .extracting(entry -> entry.to() + " by " + entry.cause())
                .containsExactly("OPEN by FAILURES", "CLOSED by PROBES");
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource("faults")
    void the_provider_fails_meanwhile(Fault fault) throws Exception {
        assertThat(new Round(fault, Plan.OUTAGE_DURING_FAULT, 1).run(world).violations())
                .isEmpty();
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource("faults")
    void the_provider_recovers_meanwhile(Fault fault) throws Exception {
        assertThat(new Round(fault, Plan.RECOVERY_DURING_FAULT, 2).run(world).violations())
                .isEmpty();
    }
}
