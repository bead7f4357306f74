package io.distributedfallback.core;

import java.util.Optional;

/**
 * The notes of the call for which this thread runs a fallback. Calls that the fallback makes are that caller's as well,
 * though this thread may serve no request, or one of its own.
 */
public final class InheritedNotes {

    private static final ThreadLocal<Notes> OF_THREAD = new ThreadLocal<>();

    private InheritedNotes() {}

    /** Empty if this thread runs no such fallback. */
    public static Optional<Notes> get() {
        return Optional.ofNullable(OF_THREAD.get());
    }

    static <T> T during(Notes caller, Unchecked.Code<T> fallback) throws Throwable {
        Notes before = OF_THREAD.get();
        OF_THREAD.set(caller);
        try {
            return fallback.run();
        } finally {
            if (before == null) {
                OF_THREAD.remove();
            } else {
                OF_THREAD.set(before);
            }
        }
    }
}
