package io.distributedfallback;

/** What wakes a probe that is due. */
public enum ProbeTrigger {
    /** A call that meets the open breaker; the probe runs after that call's request. Nothing runs without traffic. */
    TRAFFIC,
    /** A timer on a managed scheduled executor as well, for servers that must recover without traffic. */
    BACKGROUND
}
