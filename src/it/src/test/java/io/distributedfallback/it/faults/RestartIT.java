package io.distributedfallback.it.faults;

import io.distributedfallback.it.faults.Records.Request;
import io.distributedfallback.it.faults.Records.Weather;
import io.distributedfallback.it.faults.Round.Plan;
import io.distributedfallback.it.faults.rule.Rules;
import io.distributedfallback.it.harness.Eventually;
import java.sql.SQLException;
import java.time.Duration;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.parallel.ResourceLock;

import static org.assertj.core.api.Assertions.assertThat;

/** Instances that come anew find the breaker as it is. */
@Tag("faults")
@ExtendWith(SharedWorld.class)
@ResourceLock(SharedWorld.LOCK)
class RestartIT {

    private static final Duration PATIENCE = Duration.ofSeconds(20);

    /** The interval that the world's breaker is probed at, less what clocks may differ by. */
    private static final long INTERVAL = Duration.ofMillis(380).toNanos();

    private static World world;

    @BeforeAll
    static void open(World shared) {
        world = shared;
    }

    @Test
    void all_are_replaced_while_it_is_open() throws Exception {
        long from = System.nanoTime();
        world.provider().turn(Weather.FAILING);
        Eventually.until(
                "the breaker has opened",
                PATIENCE,
                () -> world.archive().stateOfCatalogue().equals("OPEN"));
        String opened = openedAt();

        world.strike(RestartFaults.ROLLING, Duration.ZERO, new Random(9));

        assertThat(world.archive().stateOfCatalogue()).isEqualTo("OPEN");
        assertThat(openedAt()).isEqualTo(opened);
        world.recover(PATIENCE);
        Records records = world.takeStock(from);
        world.goOn();
        assertThat(Rules.broken(records)).isEmpty();
        assertThat(records.historyOf("catalogue")).hasSize(2);
        // The next probe is due when it was due: whoever comes anew neither hurries it nor puts it off.
        List<Request> probes = records.requests().stream()
                .filter(Request::isProbe)
                .filter(probe -> !records.isAlone(probe))
                .toList();
        assertThat(probes).hasSizeGreaterThan(3);
        for (int i = 1; i < probes.size(); i++) {
            assertThat(probes.get(i).arrived() - probes.get(i - 1).ended()).isGreaterThan(INTERVAL);
        }
    }

    @Test
    void one_starts_while_the_database_and_the_provider_are_away() throws Exception {
        assertThat(new Round(RestartFaults.ALONE, Plan.OUTAGE_DURING_FAULT, 10)
                        .run(world)
                        .violations())
                .isEmpty();
    }

    @Test
    void one_starts_while_the_database_is_away_and_the_provider_comes_back() throws Exception {
        assertThat(new Round(RestartFaults.ALONE, Plan.RECOVERY_DURING_FAULT, 11)
                        .run(world)
                        .violations())
                .isEmpty();
    }

    private static String openedAt() throws SQLException {
        return world.database()
                .ask("SELECT opened_at FROM distributed_breaker WHERE name = 'catalogue'")
                .orElseThrow();
    }
}
