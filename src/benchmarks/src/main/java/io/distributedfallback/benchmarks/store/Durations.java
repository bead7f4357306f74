package io.distributedfallback.benchmarks.store;

import java.util.Arrays;
import java.util.concurrent.TimeUnit;

/** How long each of many things took. Thread-safe. */
final class Durations {

    private long[] nanos = new long[1024];
    private int size;
    private boolean isSorted;

    synchronized void add(long taken) {
        if (size == nanos.length) {
            nanos = Arrays.copyOf(nanos, 2 * size);
        }
        nanos[size++] = taken;
        isSorted = false;
    }

    synchronized int size() {
        return size;
    }

    /**
     * What that share of them did not exceed, in milliseconds.
     *
     * @param share from 0 to 1: 0.5 is the median, 1 the longest
     */
    synchronized double millis(double share) {
        if (size == 0) {
            throw new IllegalStateException("nothing was measured");
        }
        if (!isSorted) {
            Arrays.sort(nanos, 0, size);
            isSorted = true;
        }
        int index = (int) Math.ceil(share * size) - 1;
        return nanos[Math.max(index, 0)] / (double) TimeUnit.MILLISECONDS.toNanos(1);
    }
}
