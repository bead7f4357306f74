package io.distributedfallback.core;

import io.distributedfallback.BreakerState;
import io.distributedfallback.BreakerStatus;
import io.distributedfallback.BreakerStatus.RampUp;
import io.distributedfallback.Health;
import io.distributedfallback.OverrideMode;
import io.distributedfallback.Recovery;
import io.distributedfallback.Route;
import java.time.Duration;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.RejectedExecutionException;
import java.util.stream.Collectors;

/**
 * What one instance knows of its breakers, for those who show it. Nothing is read from the store for that. Breakers go by
 * the names that the code and the configuration call them by, without a key. Thread-safe.
 */
public final class Readings {

    private final Map<String, CircuitBreaker> breakers;
    private final Map<String, KeyedBreakers> keyed;
    private final Engine engine;

    Readings(Map<String, CircuitBreaker> breakers, Map<String, KeyedBreakers> keyed, Engine engine) {
        this.breakers = breakers;
        this.keyed = keyed;
        this.engine = engine;
    }

    /** Whether a breaker keeps calls from the primary because of its state, this instance's own included, or an override. */
    public boolean isOpen(String breaker) {
        CircuitBreaker known = breakers.get(breaker);
        return known != null && isOpen(known.status());
    }

    private static boolean isOpen(BreakerStatus status) {
        return status.holds()
                .override()
                .map(override -> override.mode() == OverrideMode.FORCED_OPEN)
                .orElseGet(() -> status.standing().state() == BreakerState.OPEN || status.alone());
    }

    /** The share of calls that a breaker lets through to the primary, 0 to 1; it is in between while that share grows. */
    public double primaryShare(String breaker) {
        CircuitBreaker known = breakers.get(breaker);
        if (known == null) {
            return 1;
        }
        BreakerStatus status = known.status();
        if (status.route() == Route.FALLBACK) {
            return 0;
        }
        return status.holds().override().isPresent()
                ? 1
                : status.recovery().rampUp().map(RampUp::share).orElse(1.0);
    }

    /** For how many nanoseconds a breaker has been in a state since this instance began to look; 0 if it is not known. */
    public long nanosIn(String breaker, EffectiveState state) {
        CircuitBreaker known = breakers.get(breaker);
        return known == null ? 0 : known.nanosIn(state);
    }

    /** How many keys of a breaker are open, whether this instance has had calls for them or not. */
    public int openKeys(String breaker) {
        KeyedBreakers keys = keyed.get(breaker);
        Set<String> open = engine.copy().latest().ofKeys(breaker).stream()
                .filter(sighting -> sighting.state(engine.now()).isOpen())
                .map(sighting -> sighting.row().name())
                .collect(Collectors.toSet());
        if (keys != null) {
            keys.all().forEach(key -> {
                if (isOpen(key.status())) {
                    open.add(key.name());
                } else {
                    open.remove(key.name());
                }
            });
        }
        return open.size();
    }

    /** The status of each breaker, without those of keys, by name. */
    public List<BreakerStatus> statuses() {
        return breakers.values().stream()
                .map(CircuitBreaker::status)
                .sorted(Comparator.comparing(BreakerStatus::breaker))
                .toList();
    }

    /** Whether the policy of a breaker wants an instance not to be ready while it sends calls to the fallback. */
    public boolean isDownWhenOpen(String breaker) {
        CircuitBreaker known = breakers.get(breaker);
        return known != null && known.refreshPolicy().health() == Health.DOWN_WHEN_OPEN;
    }

    /**
     * Does in the background what a call would: sees to the age of the copy, and has a probe seen to if one is due. Nobody
     * waits. A trial is not: without a call the lease would be held for nothing.
     */
    public void wake(String breaker) {
        CircuitBreaker known = breakers.get(breaker);
        if (known == null) {
            return;
        }
        try {
            engine.background().run(() -> {
                engine.copy().refresh();
                if (known.policy().recovery() == Recovery.PROBE) {
                    known.wakeProbe();
                }
            });
        } catch (RejectedExecutionException e) {
            engine.listener().storeTrouble(StoreException.noThread(e));
        }
    }

    /** Whether the shared store answers, as far as is known; true where there is none. */
    public boolean isStoreUp() {
        return engine.writes().loss().isEmpty();
    }

    /** The age of this instance's copy of the store; empty before the first read. */
    public Optional<Duration> copyAge() {
        return engine.copy().latest().age(engine.now());
    }
}
