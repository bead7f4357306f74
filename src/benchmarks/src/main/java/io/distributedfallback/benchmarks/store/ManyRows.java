package io.distributedfallback.benchmarks.store;

import io.distributedfallback.benchmarks.Database;
import io.distributedfallback.benchmarks.Extent;
import io.distributedfallback.benchmarks.Goal;
import io.distributedfallback.benchmarks.Line;
import io.distributedfallback.benchmarks.Scenario;
import io.distributedfallback.store.JpaBreakerStore;
import java.sql.SQLException;
import java.util.List;
import java.util.Optional;

/** What a read of the store costs with 10,000 breakers of which 20 are open, beside one with those 20 alone. */
public final class ManyRows implements Scenario {

    private static final int ALL = 10_000;
    private static final int OPEN = 20;
    private static final int READS = 500;
    private static final int WARM_UP = 2_000;

    private final Database database;

    public ManyRows(Database database) {
        this.database = database;
    }

    @Override
    public List<Line> measure(Extent extent) throws SQLException {
        try (Pool many = pool("many_rows");
                Pool few = pool("few_rows")) {
            fill(many, ALL);
            fill(few, OPEN);
            Figures figures = new Figures();
            for (int read = 0; read < WARM_UP; read++) {
                many.store().readAll();
                few.store().readAll();
            }
            for (int round = 0; round < (extent.isFull() ? 9 : 3); round++) {
                figures.add("many", read(many.store()));
                figures.add("few", read(few.store()));
            }
            figures.add("bytes of many", bytes(many, "many_rows"));
            figures.add("bytes of few", bytes(few, "few_rows"));
            String name = "a read, " + OPEN + " open of " + ALL + " breakers / of " + OPEN;
            return List.of(
                    Line.ratio(
                            name + ": median",
                            figures.of("many"),
                            figures.of("few"),
                            "ms",
                            Optional.of(Goal.atMost(1.5))),
                    Line.ratio(
                            name + ": traffic",
                            figures.of("bytes of many"),
                            figures.of("bytes of few"),
                            "B",
                            Optional.of(Goal.binding(1.5))));
        }
    }

    private Pool pool(String name) throws SQLException {
        return new Pool(database.create(name) + CountingSockets.parameters(name), 1, name);
    }

    private static void fill(Pool pool, int breakers) throws SQLException {
        pool.store().readAll();
        pool.execute("""
                INSERT INTO distributed_breaker
                  (name, version, state, consecutive_failures, failure_threshold, opened_at, next_probe_at,
                   last_failure_at, last_failure_kind, last_failure_text, last_failure_instance, updated_at)
                SELECT 'provider/tenant-' || i, i, CASE WHEN i <= %1$d THEN 'OPEN' ELSE 'CLOSED' END,
                       CASE WHEN i <= %1$d THEN 3 ELSE 0 END, CASE WHEN i <= %1$d THEN 3 END,
                       now(), CASE WHEN i <= %1$d THEN now() + INTERVAL '1 hour' END,
                       now(), 'OUTAGE', 'HTTP 503 Service Unavailable', 'shop-7', now()
                  FROM generate_series(1, %2$d) AS i
                """.formatted(OPEN, breakers));
        pool.execute("VACUUM ANALYZE distributed_breaker");
    }

    private static double read(JpaBreakerStore store) {
        Durations reads = new Durations();
        for (int read = 0; read < READS; read++) {
            long began = System.nanoTime();
            int rows = store.readAll().size();
            reads.add(System.nanoTime() - began);
            if (rows != OPEN) {
                throw new IllegalStateException(rows + " breakers matter, not " + OPEN);
            }
        }
        return reads.millis(0.5);
    }

    private static double bytes(Pool pool, String counter) {
        long before = CountingSockets.received(counter);
        pool.store().readAll();
        return CountingSockets.received(counter) - before;
    }
}
