package io.distributedfallback.core;

import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/**
 * Notices a breaker that guards the very database that holds its state, by the same trouble of both at the same time. Such
 * a breaker can be kept by each instance alone only, just when it is needed. Told once for each. Thread-safe.
 */
final class SharedFate {

    private final BreakerListener listener;
    private final MonotonicClock clock;
    private final long windowNanos;
    private final Map<String, Seen> troubles = new ConcurrentHashMap<>();
    private final Set<String> told = ConcurrentHashMap.newKeySet();

    SharedFate(Surroundings surroundings) {
        this.listener = surroundings.listener();
        this.clock = surroundings.clock();
        this.windowNanos = surroundings.timings().readTimeout().toNanos();
    }

    private record Seen(SqlTrouble trouble, long atNanos) {}

    /**
     * A guarded call or a probe has failed.
     *
     * @param loss that of the store; empty while it is there, as far as is known
     */
    void callFailed(String breaker, Throwable thrown, Optional<StoreHealth.Loss> loss) {
        SqlTrouble.in(thrown).ifPresent(trouble -> {
            // Before the loss is looked at: whoever notices it meanwhile looks here.
            troubles.put(breaker, new Seen(trouble, clock.nanos()));
            loss.flatMap(lost -> SqlTrouble.in(lost.reason()))
                    .filter(trouble::isTheSameAs)
                    .ifPresent(same -> tell(breaker, same));
        });
    }

    /** The store is lost; a call of the same database may have been the first to notice. */
    void storeLost(StoreException reason) {
        long now = clock.nanos();
        SqlTrouble.in(reason)
                .ifPresent(lost -> troubles.forEach((breaker, seen) -> {
                    if (now - seen.atNanos <= windowNanos && seen.trouble.isTheSameAs(lost)) {
                        tell(breaker, lost);
                    }
                }));
    }

    private void tell(String breaker, SqlTrouble same) {
        if (told.add(breaker)) {
            listener.guardsItsStore(breaker, same.describe());
        }
    }
}
