package io.distributedfallback.benchmarks.call;

/**
 * In which a call is made.
 *
 * @param open whether the provider is down and the breaker open
 * @param threads how many call at once
 * @param depth how many frames are on the stack more than need be
 */
record Situation(boolean open, int threads, int depth) {

    static Situation healthy(int threads) {
        return new Situation(false, threads, 0);
    }

    static Situation open(int depth) {
        return new Situation(true, 1, depth);
    }

    @Override
    public String toString() {
        return open ? "open, stack +" + depth : "healthy, " + threads + (threads == 1 ? " thread" : " threads");
    }
}
