package io.distributedfallback.limit;

import io.distributedfallback.RetryAfter;
import io.distributedfallback.core.MonotonicClock;
import io.distributedfallback.core.Problem;
import io.distributedfallback.core.ProblemCode;
import io.distributedfallback.core.StoreException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/** The store of permits in memory, for one limit, with a switch that breaks it. */
final class BucketInMemory implements PermitStore {

    final List<Integer> wanted = new ArrayList<>();
    final List<Duration> pauses = new ArrayList<>();
    boolean broken;
    private final MonotonicClock clock;
    private double tokens = -1;
    private long filledAt;
    private long pausedUntil;

    BucketInMemory(MonotonicClock clock) {
        this.clock = clock;
        pausedUntil = clock.nanos();
    }

    @Override
    public synchronized Block take(LimitSettings limit, int most) {
        if (broken) {
            throw new StoreException(new Problem(ProblemCode.DFB302, "broken", "", "Mend it"), null);
        }
        wanted.add(most);
        long now = clock.nanos();
        tokens = tokens < 0
                ? limit.burst()
                : Math.min(limit.burst(), tokens + (now - filledAt) / 1e9 * limit.permitsPerSecond());
        filledAt = now;
        long pauseLeft = Math.max(0, pausedUntil - now);
        int taken = pauseLeft > 0 ? 0 : (int) Math.min(most, Math.floor(tokens));
        tokens -= taken;
        return new Block(taken, tokens >= 1 ? 0 : (long) ((1 - tokens) / limit.permitsPerSecond() * 1e9), pauseLeft);
    }

    @Override
    public synchronized void pause(LimitSettings limit, RetryAfter until, Duration most) {
        Duration pause = ((RetryAfter.In) until).delay();
        pauses.add(pause);
        pausedUntil = Math.max(pausedUntil - clock.nanos(), pause.toNanos()) + clock.nanos();
    }

    /** Somebody else takes all that is there. */
    synchronized void drain() {
        tokens = 0;
        filledAt = clock.nanos();
    }
}
