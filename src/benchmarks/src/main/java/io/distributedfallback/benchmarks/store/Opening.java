package io.distributedfallback.benchmarks.store;

import io.distributedfallback.Breaker;
import io.distributedfallback.BreakerTransition;
import io.distributedfallback.benchmarks.Extent;
import io.distributedfallback.benchmarks.Goal;
import io.distributedfallback.benchmarks.Line;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLongArray;

/** How long it takes from the opening of a breaker to when all instances know. Each round has a breaker of its own. */
final class Opening {

    private static final int PATIENCE_SECONDS = 30;

    private final int instances;
    private final ConcurrentHashMap<String, Long> openings = new ConcurrentHashMap<>();

    Opening(int instances) {
        this.instances = instances;
    }

    /** An instance has changed the state of a breaker. */
    void made(BreakerTransition transition) {
        openings.putIfAbsent(transition.breaker(), System.nanoTime());
    }

    List<Line> lines(Extent extent, Visitors visitors, List<Instance> cluster) throws InterruptedException {
        Figures figures = new Figures();
        for (int round = 0; round < (extent.isFull() ? 10 : 2); round++) {
            int first = round * 7 % instances;
            add(figures, "one", await("seen-by-one-" + round, visitors, cluster, instance -> instance == first));
            add(figures, "all", await("seen-by-all-" + round, visitors, cluster, instance -> true));
        }
        String name = Cluster.INSTANCES + " instances, from the opening to ";
        double aRequestAfterFresh =
                Cluster.FRESH.plus(Cluster.GAP.multipliedBy(5)).toMillis();
        Optional<Goal> goal = Optional.of(Goal.atMost(aRequestAfterFresh));
        return List.of(
                Line.figure(
                        name + "the median one's knowing, if one sees it",
                        figures.of("one 0.5"),
                        "ms",
                        Optional.empty()),
                Line.figure(name + "the last one's knowing, if one sees it", figures.of("one 1.0"), "ms", goal),
                Line.figure(name + "the last one's knowing, if all see it", figures.of("all 1.0"), "ms", goal));
    }

    private static void add(Figures figures, String who, Durations knowing) {
        figures.add(who + " 0.5", knowing.millis(0.5));
        figures.add(who + " 1.0", knowing.millis(1.0));
    }

    private interface Seeing {
        boolean isDownFor(int instance);
    }

    /** How long after the opening each instance knew. */
    private Durations await(String name, Visitors visitors, List<Instance> cluster, Seeing seeing)
            throws InterruptedException {
        AtomicLongArray known = new AtomicLongArray(instances);
        CountDownLatch ignorant = new CountDownLatch(instances);
        visitors.follow(instance -> {
            Breaker breaker = cluster.get(instance).breaker(name);
            breaker.call(
                    () -> {
                        if (seeing.isDownFor(instance)) {
                            throw new ServiceUnavailable();
                        }
                        return "primary";
                    },
                    () -> "fallback");
            if (breaker.isOpen() && known.get(instance) == 0) {
                known.set(instance, System.nanoTime());
                ignorant.countDown();
            }
        });
        if (!ignorant.await(PATIENCE_SECONDS, TimeUnit.SECONDS)) {
            throw new IllegalStateException(ignorant.getCount() + " instances never learnt that " + name + " is open");
        }
        Durations knowing = new Durations();
        for (int instance = 0; instance < instances; instance++) {
            knowing.add(Math.max(0, known.get(instance) - openings.get(name)));
        }
        return knowing;
    }
}
