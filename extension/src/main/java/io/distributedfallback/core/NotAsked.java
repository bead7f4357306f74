package io.distributedfallback.core;

import java.util.function.Supplier;

/**
 * Why a fallback answers, if the primary was not asked.
 *
 * @param rejection builds the exception that says so
 */
record NotAsked(Supplier<? extends Throwable> rejection) implements Supplier<Throwable> {

    @Override
    public Throwable get() {
        return rejection.get();
    }
}
