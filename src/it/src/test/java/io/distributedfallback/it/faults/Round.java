package io.distributedfallback.it.faults;

import io.distributedfallback.it.faults.Records.Weather;
import io.distributedfallback.it.faults.rule.Rules;
import java.time.Duration;
import java.util.List;
import java.util.Random;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.Stream;

/**
 * The provider is away for a while, and a fault strikes before, meanwhile or afterwards. Then all is mended, has to recover,
 * and the rules are held against the records.
 */
record Round(Fault fault, Plan plan, long seed) {

    /** How long the cluster may take once all is mended: three probes, a lease that has to run out, a young instance. */
    private static final Duration RECOVERY = Duration.ofSeconds(15);

    /** And when the store was away: the longest pause before it is asked again comes on top. */
    private static final Duration RECOVERY_OF_THE_STORE = RECOVERY.plusSeconds(30);

    /**
     * What happens when, in milliseconds from the beginning of the round.
     *
     * @param weather how the provider is when it is not well
     */
    record Plan(int outageFrom, int outageLength, int faultFrom, int faultLength, Weather weather) {

        /** The provider goes away while the fault is there, and is back when it has gone. */
        static final Plan OUTAGE_DURING_FAULT = new Plan(1_500, 4_000, 300, 3_000, Weather.FAILING);

        /** The fault comes while the provider is away, and is there when that is back. */
        static final Plan RECOVERY_DURING_FAULT = new Plan(300, 2_500, 1_500, 3_000, Weather.HANGING);

        /** The provider is away for long after the fault has gone: what was seen meanwhile must open the breaker. */
        static final Plan OUTAGE_OUTLASTS_FAULT = new Plan(800, 8_000, 300, 1_500, Weather.FAILING);

        static Plan drawn(Random random) {
            return new Plan(
                    random.nextInt(3_000),
                    1_000 + random.nextInt(5_000),
                    random.nextInt(4_000),
                    500 + random.nextInt(5_000),
                    random.nextBoolean() ? Weather.FAILING : Weather.HANGING);
        }
    }

    /** What came of it. */
    record Outcome(Round round, Records records, List<String> violations, boolean isLate, Duration clockMoved) {

        /** Whether what the database says of its time can be laid beside what the others say. */
        boolean isJudged() {
            return clockMoved.isZero();
        }
    }

    /** Afterwards the world can be used again. */
    Outcome run(World world) throws Exception {
        Outcome outcome = runLast(world);
        world.goOn();
        if (outcome.isLate()) {
            world.beginAnew();
        }
        return outcome;
    }

    /** Afterwards its visitors are gone, and what went wrong is not mended. */
    Outcome runLast(World world) throws Exception {
        long from = System.nanoTime();
        ExecutorService hands = Executors.newFixedThreadPool(2);
        try {
            Future<?> outage = hands.submit(() -> fail(world));
            Future<?> struck = hands.submit(() -> {
                pass(plan.faultFrom());
                world.strike(fault, Duration.ofMillis(plan.faultLength()), new Random(seed));
                return null;
            });
            outage.get(1, TimeUnit.MINUTES);
            struck.get(3, TimeUnit.MINUTES);
        } finally {
            hands.shutdownNow();
        }
        List<String> late = recovers(world);
        Records records = world.takeStock(from);
        Duration moved = world.archive().clockMoved();
        List<String> violations = moved.isZero()
                ? Rules.broken(records)
                : List.of("not judged: the clock of the machine has moved by " + moved.toMillis() + " ms");
        return new Outcome(
                this, records, Stream.concat(late.stream(), violations.stream()).toList(), !late.isEmpty(), moved);
    }

    private void fail(World world) {
        pass(plan.outageFrom());
        world.provider().turn(plan.weather());
        pass(plan.outageLength());
        world.provider().turn(Weather.WELL);
    }

    private List<String> recovers(World world) {
        try {
            boolean isStoreAway = fault.effects().contains(Effect.STORE_AWAY)
                    || fault.effects().contains(Effect.STORE_AWAY_FOR_SOME);
            world.recover(isStoreAway ? RECOVERY_OF_THE_STORE : RECOVERY);
            return List.of();
        } catch (AssertionError late) {
            return List.of("every breaker that can recover does: " + late.getMessage());
        }
    }

    static void pass(long millis) {
        long end = System.nanoTime() + Duration.ofMillis(millis).toNanos();
        for (long left = 1; left > 0; left = end - System.nanoTime()) {
            LockSupport.parkNanos(left);
            if (Thread.currentThread().isInterrupted()) {
                throw new IllegalStateException("the round was given up");
            }
        }
    }

    @Override
    public String toString() {
        return fault + ", " + plan + ", seed " + seed;
    }
}
