package io.distributedfallback.core;

import java.util.function.Supplier;

/**
 * Why a fallback answers, if the primary was not asked. The exception is built when it is asked for, and once for a call:
 * who looks at what the fallback threw must be able to tell that it is what the fallback was given.
 */
final class NotAsked implements Supplier<Throwable> {

    private final Engine engine;
    private final String breaker;
    private final Admission admission;

    /** Null until somebody asks. */
    private Throwable built;

    NotAsked(Engine engine, String breaker, Admission admission) {
        this.engine = engine;
        this.breaker = breaker;
        this.admission = admission;
    }

    @Override
    public synchronized Throwable get() {
        if (built == null) {
            built = engine.rejection(breaker, admission);
        }
        return built;
    }
}
