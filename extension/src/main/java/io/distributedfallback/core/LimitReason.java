package io.distributedfallback.core;

/** What kept a call from a fallback that has a limit. */
public enum LimitReason {
    /** All permits are used. */
    RATE("as many calls as may begin have begun"),
    /** As many calls as may be under way are. */
    CONCURRENCY("as many calls as may be under way are under way"),
    /** The fallback asked for it, or has failed. */
    PAUSE("the fallback is in trouble itself and is left alone for a while");

    private final String text;

    LimitReason(String text) {
        this.text = text;
    }

    /** For people. */
    public String text() {
        return text;
    }
}
