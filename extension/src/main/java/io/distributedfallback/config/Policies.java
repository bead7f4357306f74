package io.distributedfallback.config;

import io.distributedfallback.config.PolicyReader.Reading;
import io.distributedfallback.core.MonotonicClock;
import io.distributedfallback.core.Policy;
import io.distributedfallback.core.Problem;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Consumer;

/**
 * The policies that breakers have now. Thread-safe; never fails and never blocks.
 *
 * <p>The configuration is read again when what is known is older than a second: by one call, while the others
 * go on with what is known. Reading it for each call would cost a healthy call a hundred times what the guard costs. A
 * value that has become unusable changes nothing: the last policy that was right as a whole stays in force, and each
 * new set of problems is reported once.
 */
public final class Policies {

    /** A change of the configuration is seen no later than with the first call after this time. */
    static final Duration REREAD = Duration.ofSeconds(1);

    private final PolicyReader reader;
    private final MonotonicClock clock;
    private final Consumer<Problem> problems;
    private final ConcurrentMap<String, Known> known = new ConcurrentHashMap<>();

    /** @param fresh policies that have just been read, with nothing wrong */
    Policies(PolicyReader reader, Map<String, Policy> fresh, MonotonicClock clock, Consumer<Problem> problems) {
        this.reader = reader;
        this.clock = clock;
        this.problems = problems;
        long now = clock.nanos();
        fresh.forEach((breaker, policy) -> known.put(breaker, new Known(policy, List.of(), now)));
    }

    /** The policy of a breaker, whether an annotation names it or not. */
    public Policy policyOf(String breaker) {
        long now = clock.nanos();
        Known policy = known.get(breaker);
        if (policy == null) {
            policy = known.computeIfAbsent(breaker, name -> first(reader.read(name), now));
        } else if (policy.isDue(now)) {
            policy.learn(reader.read(breaker), problems);
        }
        return policy.policy;
    }

    /**
     * With nothing better to keep, what is usable of the first reading; the defaults if it does not fit together.
     */
    private Known first(Reading reading, long now) {
        reading.problems().forEach(problems);
        return new Known(reading.policy(), reading.problems(), now);
    }

    /** One breaker's policy. */
    private static final class Known {

        private final AtomicLong readAt;
        private volatile Policy policy;
        private volatile List<Problem> reported;

        Known(Policy policy, List<Problem> reported, long now) {
            this.policy = policy;
            this.reported = reported;
            readAt = new AtomicLong(now);
        }

        /** True for one caller only, who must read then. */
        boolean isDue(long now) {
            long last = readAt.get();
            return now - last >= REREAD.toNanos() && readAt.compareAndSet(last, now);
        }

        void learn(Reading reading, Consumer<Problem> problems) {
            if (reading.problems().isEmpty()) {
                policy = reading.policy();
            } else if (!reading.problems().equals(reported)) {
                reading.problems().forEach(problems);
            }
            reported = reading.problems();
        }
    }
}
