package io.distributedfallback;

/**
 * Whether an instance hears at once, by PostgreSQL's {@code LISTEN} and {@code NOTIFY}, of what changes on other
 * instances: see {@link CopyStatus#push()}. Whatever it is, the store is read as often as without, so that nothing is
 * lost if a notification is.
 */
public enum PushState {
    /** It listens: a change anywhere is known here within milliseconds. */
    LISTENING,
    /** It does not listen yet, or has lost the connection for it, and is about to try. */
    CONNECTING,
    /** It does not want to: {@code distributed-fallback.push=off}, or {@code distributed-fallback.store=memory}. */
    OFF,
    /** It cannot where it is, behind PgBouncer in transaction mode for instance; it tries again now and then. */
    UNAVAILABLE
}
