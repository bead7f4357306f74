package io.distributedfallback;

/** Where a call goes. */
public enum Route {
    /** To the guarded method. */
    PRIMARY,
    /** To the fallback, or to a {@link BreakerOpenException} if there is none. */
    FALLBACK
}
