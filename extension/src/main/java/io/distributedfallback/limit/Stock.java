package io.distributedfallback.limit;

import java.util.ArrayDeque;
import java.util.Deque;

/** The permits that an instance has at hand, in the blocks in which they came. For use under a lock. */
final class Stock {

    private final Deque<Left> blocks = new ArrayDeque<>();

    private record Left(int permits, long until) {}

    /** @param until they are of no use any more from then on */
    void add(int permits, long until) {
        if (permits > 0) {
            blocks.addLast(new Left(permits, until));
        }
    }

    /** Takes one, the oldest first. */
    boolean take(long now) {
        expire(now);
        Left oldest = blocks.pollFirst();
        if (oldest == null) {
            return false;
        }
        if (oldest.permits > 1) {
            blocks.addFirst(new Left(oldest.permits - 1, oldest.until));
        }
        return true;
    }

    int size(long now) {
        expire(now);
        int size = 0;
        for (Left block : blocks) {
            size += block.permits;
        }
        return size;
    }

    void clear() {
        blocks.clear();
    }

    private void expire(long now) {
        while (!blocks.isEmpty() && now - blocks.getFirst().until >= 0) {
            blocks.removeFirst();
        }
    }
}
