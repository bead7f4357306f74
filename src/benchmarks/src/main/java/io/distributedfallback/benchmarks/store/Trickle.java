package io.distributedfallback.benchmarks.store;

import io.distributedfallback.benchmarks.Goal;
import io.distributedfallback.benchmarks.Line;
import io.distributedfallback.benchmarks.Samples;
import java.sql.SQLException;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;

/** A provider of which each tenth answer is a failure: too few to open, enough to be counted. */
final class Trickle implements Visitors.Scene {

    private static final int ONE_OF = 10;
    private static final int PATIENCE_SECONDS = 10;

    private final List<Instance> instances;
    private final AtomicLong asked = new AtomicLong();
    private final AtomicLong failures = new AtomicLong();

    Trickle(List<Instance> instances) {
        this.instances = instances;
    }

    @Override
    public void visit(int instance) throws Exception {
        instances.get(instance).breaker("counting").call(this::answer, () -> "fallback");
    }

    private String answer() throws ServiceUnavailable {
        if (asked.incrementAndGet() % ONE_OF == 0) {
            failures.incrementAndGet();
            throw new ServiceUnavailable();
        }
        return "primary";
    }

    long failures() {
        return failures.get();
    }

    /** By how many the failures of the window differ from those that were told, when all have arrived. */
    Line miscounted(Pool pool) throws SQLException, InterruptedException {
        long difference = difference(pool);
        for (int second = 0; difference != 0 && second < PATIENCE_SECONDS; second++) {
            TimeUnit.SECONDS.sleep(1);
            difference = difference(pool);
        }
        return Line.figure(
                "64 instances, counting: failures told and not counted, or counted twice",
                Samples.of((double) Math.abs(difference)),
                "",
                Optional.of(Goal.binding(0)));
    }

    private long difference(Pool pool) throws SQLException {
        return failures() - pool.number("SELECT window_failures FROM distributed_breaker WHERE name = 'counting'");
    }
}
