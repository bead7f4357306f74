package io.distributedfallback.limit;

import io.distributedfallback.core.MonotonicClock;
import java.util.concurrent.atomic.AtomicLong;

/**
 * The permits of one instance: a token bucket as one number, the moment at which the bucket would be full again (the
 * theoretical arrival time of the generic cell rate algorithm, ITU-T I.371).
 *
 * <ol>
 *   <li>Each permit moves that moment on by the time in which one permit comes into being, rounded up.
 *   <li>A call may begin as soon as the moment is no further away than a full bucket of permits.
 *   <li>One that may wait takes its permit ahead of time, and so has its turn after those that came before it.
 * </ol>
 *
 * <p>So no more than {@code burst + rate * t} calls begin in any {@code t} seconds. No lock: one compare-and-set for each
 * permit. A clock that was read a little too early makes it stricter, never laxer.
 */
final class LocalPermits implements Permits {

    private static final long SECOND = 1_000_000_000L;

    private final MonotonicClock clock;
    private final long interval;
    private final long fullBucket;
    private final AtomicLong fullAgain;

    LocalPermits(MonotonicClock clock, int perSecond, int burst) {
        this.clock = clock;
        this.interval = (SECOND + perSecond - 1) / perSecond;
        this.fullBucket = interval * burst;
        this.fullAgain = new AtomicLong(clock.nanos());
    }

    @Override
    public long take(long mostNanos) {
        while (true) {
            long before = fullAgain.get();
            long now = clock.nanos();
            long after = (before - now > 0 ? before : now) + interval;
            long wait = Math.max(0, after - fullBucket - now);
            if (wait > mostNanos) {
                return -wait;
            }
            if (fullAgain.compareAndSet(before, after)) {
                return wait;
            }
        }
    }
}
