package io.distributedfallback.config;

import java.util.List;
import java.util.Objects;
import java.util.Optional;
import org.eclipse.microprofile.faulttolerance.FallbackHandler;

/**
 * A {@code @DistributedFallback} as it holds after the overrides in MicroProfile Config.
 *
 * @param breaker the breaker's name, never empty
 * @param fallbackMethod the name of the method that answers instead, if any
 * @param handler the handler that answers instead, if any
 * @param backup the beans that answer instead, by their classes, in the order in which they are asked
 * @param failOn the exceptions that may count
 * @param skipOn the exceptions that are the caller's error
 * @param mode how much of the guard is in force
 */
public record GuardDefinition(
        String breaker,
        Optional<String> fallbackMethod,
        Optional<Class<? extends FallbackHandler<?>>> handler,
        List<Class<?>> backup,
        List<Class<? extends Throwable>> failOn,
        List<Class<? extends Throwable>> skipOn,
        Mode mode) {

    public GuardDefinition {
        Objects.requireNonNull(breaker, "breaker");
        Objects.requireNonNull(fallbackMethod, "fallbackMethod");
        Objects.requireNonNull(handler, "handler");
        backup = List.copyOf(backup);
        failOn = List.copyOf(failOn);
        skipOn = List.copyOf(skipOn);
        Objects.requireNonNull(mode, "mode");
    }

    /** How much of a guard is in force. */
    public enum Mode {
        /** Breaker and fallback. */
        GUARDED,
        /** The primary, and on its failure the fallback; no breaker is asked and none is told. */
        FALLBACK_ONLY,
        /** Neither: as if the annotation were not there. */
        DISABLED
    }
}
