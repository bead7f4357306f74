package io.distributedfallback.benchmarks.call;

/** What is called, and costs nothing itself: all that is measured is the way to it. */
final class Provider {

    private boolean isDown;
    private int asked;

    /** The primary. */
    String answer() {
        if (isDown) {
            asked++;
            throw new IllegalStateException("HTTP 503");
        }
        return "primary";
    }

    /** The fallback. */
    String answerInstead() {
        return "fallback";
    }

    void goDown() {
        isDown = true;
    }

    /** How often it was asked since it went down. */
    int asked() {
        return asked;
    }
}
