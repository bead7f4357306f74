package io.distributedfallback.limit;

import io.distributedfallback.core.Background;
import io.distributedfallback.core.MonotonicClock;
import io.distributedfallback.core.StoreException;
import io.distributedfallback.core.Surroundings;
import java.time.Duration;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.LongConsumer;

/**
 * An instance's share of the permits of all.
 *
 * <ol>
 *   <li>Permits come in blocks, which are fetched in the background: one fetch at a time, for as many calls as came in the
 *       last tenth of a second, or have come in this one, and for those that wait. Nothing is fetched but for a call.
 *   <li>A block is good for a quarter of a second, so that an instance that is called no more keeps nothing from the others.
 *   <li>When half of what a tenth of a second takes is left, the next block is fetched; calls go on meanwhile.
 *   <li>A call that finds nothing waits for the block that is being fetched: the first one, and the first after a quarter
 *       of a second without any, as long as for a read; others for a tenth of a second, if the database has been quick and
 *       had enough. Else it is refused, unless it may wait.
 *   <li>After a block that was smaller than wanted nothing is fetched until there is a new permit, and for 50 ms at least,
 *       doubling to 200 ms while nothing at all is left for this instance.
 *   <li>While the database is away the instance goes on with what it was given last: see {@link Absence}.
 * </ol>
 */
final class ClusterPermits implements Permits {

    /** How long a block is good for. */
    static final Duration VALID = Duration.ofMillis(250);

    private static final long VALID_NANOS = VALID.toNanos();
    private static final long TENTH = Duration.ofMillis(100).toNanos();

    private final LimitSettings limit;
    private final PermitStore store;
    private final Background background;
    private final MonotonicClock clock;
    private final LongConsumer paused;
    private final long longestCall;
    private final ReentrantLock lock = new ReentrantLock();
    private final Condition changed = lock.newCondition();

    // All of these are guarded by the lock.
    private final Stock stock = new Stock();
    private final Shortage shortage = new Shortage();
    private final Absence absence;
    private final Tally calls;
    private boolean fetching;
    private long askedAt;
    private boolean hasAnswer;
    private long calledAt;
    private boolean wasQuick;
    private int waiting;

    /** @param paused is told in nanoseconds of a pause that another instance has begun */
    ClusterPermits(LimitSettings limit, PermitStore store, Surroundings around, LongConsumer paused) {
        this.limit = limit;
        this.store = store;
        this.background = around.background();
        this.clock = around.clock();
        this.paused = paused;
        this.longestCall = around.timings().readTimeout().toNanos();
        this.absence = new Absence(limit, around);
        this.calls = new Tally(TENTH, 4, clock.nanos());
    }

    @Override
    public long take(long mostNanos) {
        lock.lock();
        try {
            long now = clock.nanos();
            long answerEnd = answerEnd(now);
            calls.add(now, 1);
            calledAt = now;
            return take(now, now + mostNanos, answerEnd);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return -Shortage.SHORTEST;
        } finally {
            lock.unlock();
        }
    }

    /** Until when a call waits for an answer. One that hangs keeps those away that come while it does. */
    private long answerEnd(long now) {
        if (!hasAnswer || now - calledAt >= VALID_NANOS) {
            return now + longestCall;
        }
        return wasQuick && !shortage.isLast() ? (fetching ? askedAt : now) + TENTH : now;
    }

    /**
     * @param end until when the call may wait for a permit
     * @param answerEnd until when it waits for an answer
     */
    private long take(long start, long end, long answerEnd) throws InterruptedException {
        long now = start;
        while (true) {
            if (stock.take(now)) {
                fetchAhead(now);
                return 0;
            }
            lookAfterAbsence(now);
            if (absence.isAway()) {
                return absence.take(Math.max(0, end - now));
            }
            if (shortage.isOn(now)) {
                if (shortage.until() - end > 0 || isCrowded(now, end)) {
                    return now - shortage.until();
                }
                now = await(now, shortage.until());
            } else {
                fetch(now, 1 + waiting + ahead(now));
                long until = end - answerEnd > 0 ? end : answerEnd;
                if (fetching && until - now <= 0) {
                    return -Shortage.SHORTEST;
                }
                now = fetching ? await(now, earlier(until, absence.overdue(askedAt))) : now;
            }
        }
    }

    /**
     * A fetch from which nothing has been heard for too long is not repeated before it ends, but nobody waits for it. After
     * one that failed another follows when its time has come.
     */
    private void lookAfterAbsence(long now) {
        if (fetching && !absence.isAway() && now - absence.overdue(askedAt) >= 0) {
            absence.begin(now, absence.overdue());
            changed.signalAll();
        } else if (absence.isAway() && absence.isRetryDue(now)) {
            fetch(now, 1);
        }
    }

    private static long earlier(long one, long other) {
        return one - other < 0 ? one : other;
    }

    /** More wait already than this instance is likely to get permits for. */
    private boolean isCrowded(long now, long end) {
        return waiting >= absence.shareOf(end - now);
    }

    @SuppressWarnings("WaitNotInLoop") // whoever calls does so in one
    private long await(long now, long until) throws InterruptedException {
        waiting++;
        try {
            long unused = changed.awaitNanos(until - now);
        } finally {
            waiting--;
        }
        return clock.nanos();
    }

    private int ahead(long now) {
        return Math.min(calls.lastOrCurrent(now), LimitSettings.leastBurstOfCluster(limit.permitsPerSecond()));
    }

    private void fetchAhead(long now) {
        int ahead = ahead(now);
        int left = stock.size(now);
        if (2 * left <= ahead && ahead > 0 && !shortage.isOn(now) && !absence.isAway()) {
            fetch(now, ahead - left);
        }
    }

    private void fetch(long now, int wanted) {
        if (fetching) {
            return;
        }
        fetching = true;
        askedAt = now;
        int most = Math.min(wanted, limit.burst());
        try {
            background.run(Background.Awaited.of(() -> ask(most), () -> failed(StoreException.noThread(stopped()))));
        } catch (RejectedExecutionException e) {
            failed(StoreException.noThread(e));
        }
    }

    private static RejectedExecutionException stopped() {
        return new RejectedExecutionException("the application stops");
    }

    private void ask(int wanted) {
        PermitStore.Block block;
        try {
            block = store.take(limit, wanted);
        } catch (RuntimeException | Error e) {
            failed(StoreException.of(e));
            return;
        }
        lock.lock();
        try {
            answered(wanted, block, clock.nanos());
        } finally {
            lock.unlock();
        }
    }

    private void answered(int wanted, PermitStore.Block block, long now) {
        if (now - absence.overdue(askedAt) >= 0) {
            // What was taken long ago would come on top of what is taken now.
            failed(absence.overdue());
            return;
        }
        fetching = false;
        hasAnswer = true;
        wasQuick = now - askedAt < TENTH;
        absence.answered(now, block.permits());
        stock.add(block.permits(), now + VALID_NANOS);
        shortage.answered(now, wanted, block);
        if (block.pauseLeft() > 0) {
            stock.clear();
            paused.accept(block.pauseLeft());
        }
        changed.signalAll();
    }

    private void failed(StoreException reason) {
        lock.lock();
        try {
            fetching = false;
            absence.begin(clock.nanos(), reason);
            changed.signalAll();
        } finally {
            lock.unlock();
        }
    }
}
