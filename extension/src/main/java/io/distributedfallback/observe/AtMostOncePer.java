package io.distributedfallback.observe;

import io.distributedfallback.core.MonotonicClock;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/** Lets the first occurrence of something through, and then one in each period. Thread-safe. */
public final class AtMostOncePer {

    /** More subjects than this at once are a sign of names made from data; then all are forgotten and start anew. */
    private static final int MOST_SUBJECTS = 10_000;

    private final long periodNanos;
    private final MonotonicClock clock;
    private final Map<String, Long> last = new ConcurrentHashMap<>();

    public AtMostOncePer(Duration period, MonotonicClock clock) {
        this.periodNanos = period.toNanos();
        this.clock = clock;
    }

    boolean allows(String subject) {
        if (last.size() > MOST_SUBJECTS) {
            last.clear();
        }
        long now = clock.nanos();
        boolean[] allowed = new boolean[1];
        last.compute(subject, (key, before) -> {
            allowed[0] = before == null || now - before >= periodNanos;
            return allowed[0] ? Long.valueOf(now) : before;
        });
        return allowed[0];
    }
}
