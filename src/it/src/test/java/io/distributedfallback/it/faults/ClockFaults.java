package io.distributedfallback.it.faults;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Random;

/** Wall clocks that are wrong, by libfaketime. The monotonic clock, which no change of the time of day moves, stays right. */
final class ClockFaults {

    static final Fault WRONG =
            Fault.of("the clock of an instance is wrong, and jumps", ClockFaults::jump, Effect.INSTANCE_DIES);

    private static final List<Path> LIBRARIES = List.of(
            Path.of("/usr/lib/x86_64-linux-gnu/faketime/libfaketimeMT.so.1"),
            Path.of("/usr/lib/aarch64-linux-gnu/faketime/libfaketimeMT.so.1"),
            Path.of("/usr/lib/faketime/libfaketimeMT.so.1"));

    private ClockFaults() {}

    static List<Fault> all() {
        return List.of(WRONG);
    }

    /**
     * A clock that is as far off as a file says: {@code -3h}, {@code +600}.
     *
     * @param file whoever writes to it has the clock jump
     */
    record WrongClock(Path file) {

        /** One that is right at first. */
        static WrongClock create() throws IOException {
            WrongClock clock = new WrongClock(Files.createTempFile("clock", ".txt"));
            clock.set("+0");
            return clock;
        }

        /** At once, for every process that has it. */
        void set(String off) throws IOException {
            Path next = Files.writeString(Path.of(file + ".next"), off + '\n');
            Files.move(next, file, java.nio.file.StandardCopyOption.ATOMIC_MOVE);
        }

        /** The variables of the environment with which a process has it. */
        Map<String, String> environment() {
            return Map.of(
                    "LD_PRELOAD", library().toString(),
                    "FAKETIME_TIMESTAMP_FILE", file.toString(),
                    "FAKETIME_NO_CACHE", "1",
                    "FAKETIME_DONT_FAKE_MONOTONIC", "1",
                    "DONT_FAKE_MONOTONIC", "1",
                    // Waits that end at a moment of the monotonic clock are none of its business either.
                    "FAKETIME_FORCE_MONOTONIC_FIX", "0");
        }

        void delete() throws IOException {
            Files.deleteIfExists(file);
        }
    }

    private static Path library() {
        return LIBRARIES.stream()
                .filter(Files::exists)
                .findFirst()
                .orElseThrow(() -> new IllegalStateException(
                        "These tests need libfaketime, on Debian the package" + " faketime, in one of " + LIBRARIES));
    }

    private static void jump(World world, Duration length, Random random) throws IOException {
        int place = random.nextInt(world.size());
        WrongClock clock = WrongClock.create();
        try {
            clock.set(random.nextBoolean() ? "+10m" : "-3h");
            world.instance(place).kill();
            world.replaceTheDead(place, clock.environment());
            jump(List.of(clock), length);
        } finally {
            world.instance(place).kill();
            world.replaceTheDead(place, Map.of());
            clock.delete();
        }
    }

    /** An hour back, and then a day ahead. */
    static void jump(List<WrongClock> clocks, Duration length) throws IOException {
        for (String off : List.of("-1h", "+1d")) {
            for (WrongClock clock : clocks) {
                clock.set(off);
            }
            Round.pass(length.toMillis() / 2);
        }
    }
}
