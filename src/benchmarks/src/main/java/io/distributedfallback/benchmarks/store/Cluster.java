package io.distributedfallback.benchmarks.store;

import io.distributedfallback.Recovery;
import io.distributedfallback.benchmarks.Database;
import io.distributedfallback.benchmarks.Extent;
import io.distributedfallback.benchmarks.Goal;
import io.distributedfallback.benchmarks.Line;
import io.distributedfallback.benchmarks.Samples;
import io.distributedfallback.benchmarks.Scenario;
import io.distributedfallback.core.Policy;
import io.distributedfallback.core.PolicyBuilder;
import io.distributedfallback.core.Timings;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.concurrent.TimeUnit;

/**
 * What 64 instances cost one database, and how long it takes until all know what one of them found out. They live in one JVM
 * and share four pools; each has a copy of the store, breakers and threads of its own, and a visitor every 20 ms.
 */
public final class Cluster implements Scenario {

    static final int INSTANCES = 64;
    static final Duration GAP = Duration.ofMillis(20);
    static final Duration FRESH = Timings.DEFAULT.fresh();

    private static final int POOLS = 4;
    private static final int CONNECTIONS = 8;

    private final Database database;

    public Cluster(Database database) {
        this.database = database;
    }

    @Override
    public List<Line> measure(Extent extent) throws SQLException, InterruptedException {
        List<Pool> pools = new ArrayList<>();
        List<MeteredStore> stores = new ArrayList<>();
        List<Instance> instances = new ArrayList<>();
        String url = database.create("cluster");
        Outage outage = new Outage();
        Opening opening = new Opening(INSTANCES);
        try {
            for (int pool = 0; pool < POOLS; pool++) {
                pools.add(new Pool(url, CONNECTIONS, "pool-" + pool));
                pools.get(pool).store().readAll();
                stores.add(new MeteredStore(pools.get(pool).store()));
            }
            for (int i = 0; i < INSTANCES; i++) {
                instances.add(
                        new Instance(stores.get(i % POOLS), Cluster::policy, Map.of("open", outage), opening::made));
            }
            List<Line> lines = new ArrayList<>();
            try (Visitors visitors = new Visitors(INSTANCES, GAP, FRESH, healthy(instances))) {
                Duration length = Duration.ofSeconds(extent.isFull() ? 20 : 4);
                Observed observed = new Observed(pools.get(0), visitors, length);
                settle();
                lines.addAll(observed.healthy());
                Trickle trickle = new Trickle(instances);
                visitors.follow(trickle);
                lines.addAll(observed.counting(trickle));
                visitors.follow(healthy(instances));
                lines.add(trickle.miscounted(pools.get(0)));
                lines.add(longestWrite(stores));
                visitors.follow(down(instances));
                settle();
                lines.addAll(observed.open(outage));
                lines.addAll(opening.lines(extent, visitors, instances));
            }
            return lines;
        } finally {
            instances.forEach(Instance::close);
            pools.forEach(Pool::close);
        }
    }

    private static Line longestWrite(List<MeteredStore> stores) {
        return Line.figure(
                INSTANCES + " instances, counting: the longest write",
                Samples.of(stores.stream()
                        .mapToDouble(store -> store.takeWrites().millis(1))
                        .max()
                        .orElseThrow()),
                "ms",
                Optional.of(Goal.atMost((double) Timings.DEFAULT.writeTimeout().toMillis())));
    }

    private static Visitors.Scene healthy(List<Instance> instances) {
        return i -> instances.get(i).breaker("healthy").call(() -> "primary", () -> "fallback");
    }

    private static Visitors.Scene down(List<Instance> instances) {
        return i -> instances
                .get(i)
                .breaker("open")
                .call(
                        () -> {
                            throw new ServiceUnavailable();
                        },
                        () -> "fallback");
    }

    /** Until all instances have come, and have seen what there is to see. */
    private static void settle() throws InterruptedException {
        TimeUnit.NANOSECONDS.sleep(FRESH.multipliedBy(2).toNanos());
    }

    private static Policy policy(String breaker) {
        PolicyBuilder policy = new PolicyBuilder();
        return switch (breaker) {
            case "counting" ->
                policy.failureThreshold(Integer.MAX_VALUE)
                        .failureRatio(OptionalDouble.of(1))
                        .window(Duration.ofHours(1))
                        .minimumCalls(Integer.MAX_VALUE)
                        .build();
            case "open" ->
                policy.recovery(Recovery.PROBE)
                        .probeInterval(Outage.PROBE_INTERVAL)
                        .build();
            default ->
                policy.failureThreshold(1).probeInterval(Duration.ofHours(1)).build();
        };
    }
}
