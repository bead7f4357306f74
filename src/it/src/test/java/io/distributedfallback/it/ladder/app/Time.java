package io.distributedfallback.it.ladder.app;

/** The time of this machine, as all of its processes have it, without jumps. */
public final class Time {

    private static final long START_MICROS = System.currentTimeMillis() * 1_000;
    private static final long START_NANOS = System.nanoTime();

    private Time() {}

    /** Since 1970. */
    public static long micros() {
        return START_MICROS + (System.nanoTime() - START_NANOS) / 1_000;
    }
}
