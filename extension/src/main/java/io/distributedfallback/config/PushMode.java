package io.distributedfallback.config;

/** Whether an instance listens to what changes on others: key {@code distributed-fallback.push}. */
public enum PushMode {
    /** Where it can. */
    AUTO,
    /** As {@link #AUTO}, and it warns where it cannot. */
    ON,
    /** Not at all: it learns of changes when it reads next. */
    OFF
}
