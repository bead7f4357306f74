package io.distributedfallback.limit;

/** Counts what happens in slots of time, the last few of which are kept. For use under a lock. */
final class Tally {

    private final long slotNanos;
    private final long start;
    private final long[] numbers;
    private final int[] counts;

    /** @param slots how many are kept, with the one that is under way */
    Tally(long slotNanos, int slots, long start) {
        this.slotNanos = slotNanos;
        this.start = start;
        this.numbers = new long[slots];
        this.counts = new int[slots];
    }

    void add(long now, int count) {
        long number = numberOf(now);
        int at = (int) (number % numbers.length);
        if (numbers[at] != number) {
            numbers[at] = number;
            counts[at] = 0;
        }
        counts[at] += count;
    }

    /** What happened in the last slot that has passed, or before this in the one that is under way, if that is more already. */
    int lastOrCurrent(long now) {
        long current = numberOf(now);
        return Math.max(in(current - 1), in(current) - 1);
    }

    /** What happened in one slot on average, of those from the first in which something did until now; 0 if nothing did. */
    double average(long now) {
        long current = numberOf(now);
        long sum = 0;
        long slots = 0;
        for (int back = 0; back < numbers.length; back++) {
            int count = in(current - back);
            sum += count;
            slots = count > 0 ? back + 1 : slots;
        }
        return slots == 0 ? 0 : (double) sum / slots;
    }

    /** Numbers begin with 1, so that a slot that was never used has none. */
    private long numberOf(long now) {
        return (now - start) / slotNanos + 1;
    }

    private int in(long number) {
        int at = (int) Math.floorMod(number, (long) numbers.length);
        return number > 0 && numbers[at] == number ? counts[at] : 0;
    }
}
