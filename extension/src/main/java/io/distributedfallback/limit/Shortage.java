package io.distributedfallback.limit;

import java.time.Duration;

/** What is known of a bucket that had less than was wanted. For use under a lock. */
final class Shortage {

    /** For so long nothing is asked for at least. */
    static final long SHORTEST = Duration.ofMillis(50).toNanos();

    private static final long LONGEST = Duration.ofMillis(200).toNanos();

    private boolean last;
    private long until;
    private long pause = SHORTEST;

    /** Whether there is no permit yet, as far as is known. */
    boolean isOn(long now) {
        return last && now - until < 0;
    }

    /** Whether the last block was smaller than wanted. */
    boolean isLast() {
        return last;
    }

    /** When there may be a permit. */
    long until() {
        return until;
    }

    /** The longer nothing at all is left for an instance, the more seldom it asks: others get what there is. */
    void answered(long now, int wanted, PermitStore.Block block) {
        last = block.permits() < wanted;
        pause = last && block.permits() == 0 ? Math.min(2 * pause, LONGEST) : SHORTEST;
        until = now + Math.max(block.pauseLeft(), Math.max(block.untilNext(), pause));
    }
}
