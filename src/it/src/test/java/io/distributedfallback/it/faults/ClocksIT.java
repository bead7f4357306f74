package io.distributedfallback.it.faults;

import io.distributedfallback.it.faults.ClockFaults.WrongClock;
import io.distributedfallback.it.faults.Round.Plan;
import io.distributedfallback.it.faults.app.Node;
import io.distributedfallback.it.harness.Eventually;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

/** The wall clocks of instances are off by hours, each by others, and jump. It makes no difference to anything. */
@Tag("faults")
class ClocksIT {

    private static final List<String> OFF = List.of("+10m", "-3h", "+0");
    private static final List<Duration> OFF_BY = List.of(Duration.ofMinutes(10), Duration.ofHours(-3), Duration.ZERO);

    /** A busy machine takes its time to ask for the time. */
    private static final Duration ABOUT = Duration.ofMinutes(2);

    private static final Duration PATIENCE = Duration.ofMinutes(1);
    private static final List<WrongClock> CLOCKS = new ArrayList<>();
    private static World world;

    @BeforeAll
    static void open() throws Exception {
        world = World.open("clocks", new CabledPostgres(OFF.size()), OFF.size());
        for (int place = 0; place < OFF.size(); place++) {
            WrongClock clock = WrongClock.create();
            CLOCKS.add(clock);
            clock.set(OFF.get(place));
            world.instance(place).kill();
            world.replaceTheDead(place, clock.environment());
        }
        // Those that had the right time belong to no round.
        Records unused = world.takeStock(System.nanoTime());
        world.goOn();
    }

    @AfterAll
    static void close() throws IOException {
        world.close();
        for (WrongClock clock : CLOCKS) {
            clock.delete();
        }
    }

    @Test
    void clocks_are_off_by_hours() throws Exception {
        for (int place = 0; place < OFF.size(); place++) {
            CLOCKS.get(place).set(OFF.get(place));
            assertOff(place, OFF_BY.get(place));
        }
        Fault wrong = Fault.of("clocks are off", (all, length, random) -> Round.pass(length.toMillis()));
        assertThat(new Round(wrong, Plan.OUTAGE_DURING_FAULT, 5).run(world).violations())
                .isEmpty();
    }

    @Test
    void clocks_jump_while_the_provider_goes_away() throws Exception {
        assertThat(jumping(Plan.OUTAGE_DURING_FAULT)).isEmpty();
    }

    @Test
    void clocks_jump_while_the_provider_comes_back() throws Exception {
        assertThat(jumping(Plan.RECOVERY_DURING_FAULT)).isEmpty();
    }

    private static List<String> jumping(Plan plan) throws Exception {
        for (WrongClock clock : CLOCKS) {
            clock.set("+0");
        }
        assertOff(0, Duration.ZERO);
        Fault jumps = Fault.of("clocks jump", (all, length, random) -> {
            ClockFaults.jump(CLOCKS, length);
            assertOff(0, Duration.ofDays(1));
        });
        return new Round(jumps, plan, 6).run(world).violations();
    }

    /**
     * What the clocks of an instance show.
     *
     * @param wallMillis since 1970
     * @param nanos as {@link System#nanoTime()}
     */
    private record Clocks(long wallMillis, long nanos) {}

    private static Clocks clocks(Instance instance) {
        int asked = told(instance).size();
        instance.say("clocks");
        Eventually.until(
                instance.name() + " has told its clocks",
                PATIENCE,
                () -> told(instance).size() > asked);
        List<String> told = told(instance);
        String[] words = told.get(told.size() - 1).split(" ", -1);
        return new Clocks(Long.parseLong(words[1]), Long.parseLong(words[2]));
    }

    private static List<String> told(Instance instance) {
        return instance.said()
                .lines()
                .filter(line -> line.startsWith(Node.CLOCKS))
                .toList();
    }

    /** The wall clock shows what it is told to, and the monotonic one what it does everywhere on the machine. */
    private static void assertOff(int place, Duration by) {
        long before = System.nanoTime();
        Clocks clocks = clocks(world.instance(place));
        assertThat(clocks.wallMillis() - System.currentTimeMillis())
                .as("wall clock")
                .isCloseTo(by.toMillis(), within(ABOUT.toMillis()));
        assertThat(clocks.nanos()).as("monotonic clock").isBetween(before, System.nanoTime());
    }
}
