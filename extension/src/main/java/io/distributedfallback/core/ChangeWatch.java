package io.distributedfallback.core;

import io.distributedfallback.PushState;
import java.time.Duration;
import java.util.concurrent.RejectedExecutionException;

/**
 * Keeps an instance listening to what changes elsewhere, and has its copy read when it hears of something.
 *
 * <ol>
 *   <li>It begins when the copy has been read for the first time: an application that uses no breaker, or has not been
 *       called yet and shall not read at its start, has no connection because of this.
 *   <li>It listens on a managed thread, which it holds meanwhile.
 *   <li>As soon as it listens the copy is read, for nobody knows what went unheard before; then with each change.
 *   <li>What is lost is taken up again 1 s later, doubling with each failure up to 30 s; where it cannot work at all, 5
 *       minutes later. No thread is held in between.
 * </ol>
 *
 * Nothing else changes by it: calls neither wait for it nor rely on it.
 */
final class ChangeWatch implements ChangeFeed.Ears {

    static final Duration FIRST_PAUSE = Duration.ofSeconds(1);
    static final Duration LONGEST_PAUSE = Duration.ofSeconds(30);
    static final Duration PAUSE_WHERE_IT_CANNOT_WORK = Duration.ofMinutes(5);

    private final ChangeFeed feed;
    private final boolean insisted;
    private final StoreCopy copy;
    private final PromptReads reads;
    private final Surroundings surroundings;

    private volatile PushState state = PushState.CONNECTING;
    private volatile boolean closed;
    private volatile Background.Task next = () -> {};

    /** By the one attempt that is under way. */
    private Duration pause = FIRST_PAUSE;

    private long listeningSinceNanos;
    private ProblemCode told;

    /**
     * Does nothing yet.
     *
     * @param insisted whether the user asked for it, and is to be warned where it cannot work
     */
    ChangeWatch(ChangeFeed feed, boolean insisted, StoreCopy copy, Surroundings surroundings) {
        this.feed = feed;
        this.insisted = insisted;
        this.copy = copy;
        this.surroundings = surroundings;
        reads = new PromptReads(copy, surroundings);
    }

    PushState state() {
        return state;
    }

    /** Begins when the copy has been read next. */
    void start() {
        copy.afterNextRead(this::attempt);
    }

    private void attempt() {
        try {
            surroundings.background().hold(this::listen);
        } catch (RejectedExecutionException e) {
            ended(StoreException.noThread(e));
        }
    }

    private void listen() {
        try {
            feed.listen(this);
        } catch (RuntimeException | Error e) {
            ended(StoreException.of(e));
        }
    }

    @Override
    public void listening() {
        state = PushState.LISTENING;
        listeningSinceNanos = surroundings.clock().nanos();
        if (told != null) {
            told = null;
            surroundings.listener().listening();
        }
        reads.changed();
    }

    @Override
    public void changed() {
        reads.changed();
    }

    private void ended(StoreException reason) {
        if (closed) {
            return;
        }
        Duration wait = reason.code() == ProblemCode.DFB313 ? PAUSE_WHERE_IT_CANNOT_WORK : nextPause();
        state = reason.code() == ProblemCode.DFB313 ? PushState.UNAVAILABLE : PushState.CONNECTING;
        if (told != reason.code()) {
            told = reason.code();
            surroundings.listener().notListening(reason, insisted);
        }
        try {
            next = surroundings.background().schedule(wait, this::attempt);
        } catch (RejectedExecutionException e) {
            start();
        }
        if (closed) {
            next.cancel();
        }
    }

    /** A connection that lived for a while was a good one; one that is cut each time it is made is not. */
    private Duration nextPause() {
        boolean lived = state == PushState.LISTENING
                && surroundings.clock().nanos() - listeningSinceNanos > LONGEST_PAUSE.toNanos();
        Duration current = lived ? FIRST_PAUSE : pause;
        Duration doubled = current.multipliedBy(2);
        pause = doubled.compareTo(LONGEST_PAUSE) < 0 ? doubled : LONGEST_PAUSE;
        return current;
    }

    /** Ends it, on whatever thread it is. Does not wait for that. */
    void stop() {
        closed = true;
        next.cancel();
        reads.stop();
        feed.close();
    }
}
