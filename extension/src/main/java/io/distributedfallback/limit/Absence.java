package io.distributedfallback.limit;

import io.distributedfallback.core.BreakerListener;
import io.distributedfallback.core.MonotonicClock;
import io.distributedfallback.core.StoreException;
import io.distributedfallback.core.Surroundings;
import java.time.Duration;

/**
 * What an instance does about permits while the database hands out none.
 *
 * <p>It may well be away because it is the fallback that is overloaded. So the instance goes on with its share: as many calls
 * a second as it was given permits for, on average of the last five seconds in which it was; or with one a second if it
 * has not been given any for a minute, or ever. The shares of all who were given permits come to no more than the cap, and
 * no instance stops asking. It asks for permits again with a call after 1 s, doubling to 30 s.
 *
 * <p>For use under a lock.
 */
final class Absence {

    private static final long SECOND = Duration.ofSeconds(1).toNanos();
    private static final long LONGEST_PAUSE = Duration.ofSeconds(30).toNanos();
    private static final long SHARE_KNOWN = Duration.ofMinutes(1).toNanos();
    private static final int SECONDS = 5;
    private static final int BURSTS_PER_SECOND = 10;

    private final LimitSettings limit;
    private final MonotonicClock clock;
    private final BreakerListener listener;
    private final Duration longestWrite;
    private final Tally permits;
    private boolean away;
    private long retryAt;
    private long pause = SECOND;
    private boolean isShareKnown;
    private int share = 1;
    private long shareAt;
    private LocalPermits own;

    Absence(LimitSettings limit, Surroundings around) {
        this.limit = limit;
        this.clock = around.clock();
        this.listener = around.listener();
        this.longestWrite = around.timings().writeTimeout();
        this.permits = new Tally(SECOND, SECONDS, clock.nanos());
    }

    boolean isAway() {
        return away;
    }

    boolean isRetryDue(long now) {
        return now - retryAt >= 0;
    }

    /** When an answer comes too late. */
    long overdue(long askedAt) {
        return askedAt + longestWrite.toNanos();
    }

    StoreException overdue() {
        return StoreException.overdue(
                "taking permits of the limit " + limit.name(),
                longestWrite,
                "distributed-fallback.store.write-timeout");
    }

    /** As {@link Permits#take}. */
    long take(long mostNanos) {
        return own.take(mostNanos);
    }

    /** As many permits as this instance is likely to get in a time; 1 at least. */
    long shareOf(long nanos) {
        return Math.max(1, (long) ((double) nanos * share / SECOND));
    }

    void begin(long now, StoreException reason) {
        retryAt = now + pause;
        pause = Math.min(2 * pause, LONGEST_PAUSE);
        if (!away) {
            away = true;
            int rest = isShareKnown && now - shareAt < SHARE_KNOWN ? share : 1;
            own = new LocalPermits(clock, rest, Math.max(1, rest / BURSTS_PER_SECOND));
            listener.permitsLost(limit.name(), rest, reason);
        }
    }

    /** The database has answered. */
    void answered(long now, int given) {
        permits.add(now, given);
        if (given > 0 || !isShareKnown) {
            isShareKnown = true;
            share = (int) Math.max(1, Math.min(permits.average(now), limit.permitsPerSecond()));
            shareAt = now;
        }
        pause = SECOND;
        if (away) {
            away = false;
            listener.permitsBack(limit.name());
        }
    }
}
