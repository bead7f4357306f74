package io.distributedfallback;

import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;

/**
 * What answered instead of a primary in the request that is being served: for an answer that says what is missing in it.
 * An injectable CDI bean of the request. Thread-safe, also where a request makes calls on several threads.
 *
 * <p>Calls of annotated methods are noted, and those of {@link Breakers#get(String)}. The outcome of a
 * {@link java.util.concurrent.CompletionStage} is noted in the request in which the call was made, on whatever thread it
 * completes, before whoever waits for it is told; that of a {@link java.util.concurrent.Future}, when it is asked for. Of
 * calls within calls, as in a backup that is guarded as well, the inner one is noted first. A call that its primary answers
 * is not noted, and neither is one outside of a request. A call whose primary failed in a way that uses no fallback, as with
 * a 404, is none of these either.
 *
 * <p>Noting begins with the application if it injects this bean, {@code Instance<Degraded>} or {@code Provider<Degraded>}
 * somewhere, or has {@code distributed-fallback.degraded-header}; else with the first use of it, after a look-up by code. The
 * first 1000 answers of a request are noted.
 */
public interface Degraded {

    /**
     * Whether a call of this request has been answered by something else than its primary, or by nothing.
     *
     * @return false if all is well so far
     */
    boolean isDegraded();

    /**
     * What answered, in the order in which the calls ended.
     *
     * @return a copy; empty if all is well so far
     */
    List<Answer> answers();

    /**
     * The breakers of all {@link #answers()}.
     *
     * @return a copy, each name once, in the order in which they came first
     */
    Set<String> breakers();

    /**
     * The breakers of the calls that got no answer: those of {@link Rung#LIMITED} and {@link Rung#UNAVAILABLE}.
     *
     * @return a copy, each name once, in the order in which they came first
     */
    Set<String> unavailable();

    /**
     * What answered one call.
     *
     * @param breaker the breaker of the call, without the {@linkplain BreakerKey key}
     * @param rung what answered
     * @param age of {@link Rung#LAST_GOOD}, how old the answer was
     */
    record Answer(String breaker, Rung rung, Optional<Duration> age) {
        public Answer {
            Objects.requireNonNull(breaker, "breaker");
            Objects.requireNonNull(rung, "rung");
            Objects.requireNonNull(age, "age");
        }
    }

    /** What there is below a primary. */
    enum Rung {
        /** {@link io.distributedfallback.LastGood}: what the primary had returned for the same arguments. */
        LAST_GOOD,
        /** The fallback. */
        FALLBACK,
        /** {@link QueueWhenOpen}: the call is stored and made later. */
        QUEUED,
        /** {@link FallbackLimit}: the fallback was not asked. */
        LIMITED,
        /** Nothing: the call ended in an exception. */
        UNAVAILABLE;

        /**
         * Whether the caller got an answer.
         *
         * @return false if the call ended in an exception
         */
        public boolean isAnswer() {
            return this != LIMITED && this != UNAVAILABLE;
        }
    }
}
