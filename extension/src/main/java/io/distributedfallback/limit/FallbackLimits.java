package io.distributedfallback.limit;

import io.distributedfallback.core.Fallback;
import io.distributedfallback.core.Surroundings;
import java.time.Clock;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;

/** The limits of one application, by their names. Thread-safe. */
public final class FallbackLimits {

    private final Map<String, Limit> limits = new ConcurrentHashMap<>();
    private final Surroundings around;
    private final Optional<PermitStore> store;
    private final Clock wallClock;

    /**
     * Nothing is read or written before a call goes to a fallback.
     *
     * @param store hands out the permits of all instances; empty if this one keeps its breakers to itself
     * @param wallClock for a date until which a fallback wants to be left alone
     */
    public FallbackLimits(Surroundings around, Optional<PermitStore> store, Clock wallClock) {
        this.around = around;
        this.store = store;
        this.wallClock = wallClock;
    }

    /**
     * Puts a limit over a fallback. Those with the same name share one.
     *
     * @return throws a {@link io.distributedfallback.FallbackLimitedException} for calls that may not begin
     */
    public <C, T> Fallback<C, T> over(Fallback<C, T> below, LimitSettings settings, LimitedMethod method) {
        return new LimitedFallback<>(below, of(settings), method);
    }

    private Limit of(LimitSettings settings) {
        return limits.computeIfAbsent(
                settings.name(), name -> new Limit(settings, around, store, wallClock, TimeUnit.NANOSECONDS::sleep));
    }
}
