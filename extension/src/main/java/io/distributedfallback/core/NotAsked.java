package io.distributedfallback.core;

import java.util.function.Supplier;

/** Why a fallback answers, if the primary was not asked. The exception is built when it is asked for. */
record NotAsked(Engine engine, String breaker, Admission admission) implements Supplier<Throwable> {

    @Override
    public Throwable get() {
        return engine.rejection(breaker, admission);
    }
}
