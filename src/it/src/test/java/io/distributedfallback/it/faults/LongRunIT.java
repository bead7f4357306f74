package io.distributedfallback.it.faults;

import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * One fault after the other, drawn by lot, for as long as one likes: {@code faults.minutes}. The seed is printed;
 * {@code faults.seed} takes it, and the same faults strike at the same moments. Several clusters at once, because most of
 * the time is spent waiting: {@code faults.worlds}.
 */
@Tag("long-run")
class LongRunIT {

    private static final Path REPORT = Path.of("target", "faults", "report.md");
    private static final int INSTANCES = 3;

    private final long seed = Long.getLong("faults.seed", System.nanoTime() & 0xffff_ffffL);
    private final Report report = new Report(seed);
    private final long endNanos = System.nanoTime()
            + Duration.ofMinutes(Long.getLong("faults.minutes", 1L)).toNanos();

    @Test
    @Timeout(Integer.MAX_VALUE)
    void nothing_is_lost_and_nothing_let_in() throws Exception {
        Files.createDirectories(REPORT.getParent());
        System.out.println("The long run has the seed " + seed);
        int worlds = Integer.getInteger("faults.worlds", 2);
        ExecutorService threads = Executors.newFixedThreadPool(worlds);
        try {
            List<Future<?>> runs = new ArrayList<>();
            for (int i = 0; i < worlds; i++) {
                int number = i;
                runs.add(threads.submit(() -> {
                    run(number);
                    return null;
                }));
            }
            for (Future<?> run : runs) {
                run.get();
            }
        } finally {
            threads.shutdownNow();
            Files.writeString(REPORT, report.text());
        }
        System.out.println(report.text());
        assertThat(report.violations()).isEmpty();
    }

    private void run(int number) throws Exception {
        Random random = new Random(seed + number);
        List<Fault> faults = Faults.all();
        int broken = 0;
        while (isTime()) {
            try (World world =
                    World.open("long-run-" + number + '-' + broken, CabledPostgres.watched(INSTANCES), INSTANCES)) {
                while (isTime() && play(world, faults, random)) {
                    Files.writeString(REPORT, report.text());
                }
            }
            broken++;
        }
    }

    /** Answers whether the world can be used again. */
    private boolean play(World world, List<Fault> faults, Random random) {
        Fault fault = faults.get(random.nextInt(faults.size()));
        Round round = new Round(fault, Round.Plan.drawn(random), random.nextLong());
        try {
            world.renewAfterLosses();
            Round.Outcome outcome = round.run(world);
            report.add(outcome);
            outcome.violations().forEach(violation -> System.out.println(violation + " (" + round + ')'));
            return true;
        } catch (Exception | AssertionError e) {
            e.printStackTrace();
            report.broke(round, e);
            return false;
        }
    }

    private boolean isTime() {
        return System.nanoTime() - endNanos < 0;
    }
}
