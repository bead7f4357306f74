package io.distributedfallback.core;

import java.util.function.Supplier;

/**
 * Why a fallback answers, if the primary was not asked. It is built once for a call: who looks at what the fallback threw
 * must be able to tell that it is what the fallback was given.
 */
final class NotAsked implements Supplier<Throwable> {

    private final Supplier<? extends Throwable> rejection;

    /** Null until somebody asks. */
    private Throwable built;

    /** @param rejection builds the exception that says so */
    NotAsked(Supplier<? extends Throwable> rejection) {
        this.rejection = rejection;
    }

    @Override
    public synchronized Throwable get() {
        if (built == null) {
            built = rejection.get();
        }
        return built;
    }
}
