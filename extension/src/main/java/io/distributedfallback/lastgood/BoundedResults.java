package io.distributedfallback.lastgood;

import com.github.benmanes.caffeine.cache.Cache;
import com.github.benmanes.caffeine.cache.Caffeine;
import io.distributedfallback.core.MonotonicClock;
import java.time.Duration;

/** So many results and no more, in the memory of this instance. The one class that needs Caffeine. */
final class BoundedResults {

    /**
     * Caffeine moves the time of an entry only if it is off by a second, so that it would let go of an entry too early.
     * Here it only clears away what nobody gets any more.
     */
    private static final Duration LATER = Duration.ofSeconds(2);

    private final Cache<ResultKey, Kept> entries;

    BoundedResults(int maxEntries, Duration maxAge, MonotonicClock clock) {
        entries = Caffeine.newBuilder()
                .maximumSize(maxEntries)
                .expireAfterWrite(maxAge.plus(LATER))
                .ticker(clock::nanos)
                // What there is to clear away is little; a pool of the JDK knows nothing of the application.
                .executor(Runnable::run)
                .build();
    }

    /**
     * A result.
     *
     * @param value what was returned, null as well
     * @param atNanos when
     */
    record Kept(Object value, long atNanos) {}

    void put(ResultKey key, Kept result) {
        entries.put(key, result);
    }

    /** Null if there is none. */
    Kept get(ResultKey key) {
        return entries.getIfPresent(key);
    }
}
