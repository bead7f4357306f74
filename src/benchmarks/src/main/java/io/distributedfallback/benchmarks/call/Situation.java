package io.distributedfallback.benchmarks.call;

/**
 * In which a call is made.
 *
 * @param open whether the provider is down and the breaker open
 * @param threads how many call at once
 * @param depth how many frames are on the stack more than need be
 * @param asWritten whether the compiler of the JVM is kept from taking objects away
 */
record Situation(boolean open, int threads, int depth, boolean asWritten) {

    static Situation healthy(int threads) {
        return new Situation(false, threads, 0, false);
    }

    static Situation open(int depth) {
        return new Situation(true, 1, depth, false);
    }

    /** Every object that the code makes is there, whatever a compiler could do without: no luck is in the bytes. */
    static Situation healthyAsWritten() {
        return new Situation(false, 1, 0, true);
    }

    String escapeAnalysis() {
        return asWritten ? "-XX:-DoEscapeAnalysis" : "-XX:+DoEscapeAnalysis";
    }

    @Override
    public String toString() {
        if (asWritten) {
            return "healthy, no object taken away";
        }
        return open ? "open, stack +" + depth : "healthy, " + threads + (threads == 1 ? " thread" : " threads");
    }
}
