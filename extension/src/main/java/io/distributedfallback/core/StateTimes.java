package io.distributedfallback.core;

import java.util.EnumMap;
import java.util.Map;
import java.util.OptionalLong;

/** For how long a breaker has been in each state, as one instance knows. Thread-safe. */
final class StateTimes {

    private final Map<EffectiveState, Long> nanos = new EnumMap<>(EffectiveState.class);
    private Sighting seen;
    private long sinceNanos;

    StateTimes(Sighting first, long now) {
        this.seen = first;
        this.sinceNanos = now;
    }

    /** Until now it has been what was seen before; from now on it is this. */
    synchronized void see(Sighting next, long now) {
        pass(now);
        seen = next;
    }

    synchronized long nanosIn(EffectiveState state, long now) {
        pass(now);
        return nanos.getOrDefault(state, 0L);
    }

    private void pass(long now) {
        OptionalLong end = seen.overrideEnd();
        if (end.isPresent() && end.getAsLong() - sinceNanos > 0 && now - end.getAsLong() > 0) {
            passTo(end.getAsLong());
        }
        if (now - sinceNanos > 0) {
            passTo(now);
        }
    }

    private void passTo(long moment) {
        nanos.merge(seen.state(sinceNanos), moment - sinceNanos, Long::sum);
        sinceNanos = moment;
    }
}
