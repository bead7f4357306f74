package io.distributedfallback.core;

import java.util.OptionalInt;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/**
 * Notices that other instances count the failures of one breaker against another threshold, as during a rolling deploy,
 * and tells it once for each value. What this instance's own policy says, or said before its configuration was changed,
 * is nobody else's: the row may still hold it. Thread-safe.
 */
final class OtherThresholds {

    private final String breaker;
    private final BreakerListener listener;
    private final Set<Integer> known = ConcurrentHashMap.newKeySet();

    OtherThresholds(String breaker, BreakerListener listener) {
        this.breaker = breaker;
        this.listener = listener;
    }

    /** Takes in the policy that this instance has now, and returns it. */
    Policy own(Policy policy) {
        known.add(policy.failureThreshold());
        return policy;
    }

    /** Looks at a row that may have been counted by another instance. */
    void look(BreakerRow row, Policy own) {
        OptionalInt there = row.standing().countedAgainst();
        if (there.isPresent() && known.add(there.getAsInt())) {
            listener.thresholdDiffers(breaker, own.failureThreshold(), there.getAsInt());
        }
    }
}
