package io.distributedfallback;

import java.time.Instant;
import java.util.Objects;

/**
 * Something that somebody may have to look at has begun, or is over. Fired as a CDI event, synchronously and
 * asynchronously, on a managed thread that no caller waits for: what an observer throws is logged, and one that is slow
 * delays the further alerts of the same breaker and nothing else. Synchronous observers hear of a breaker in the order in
 * which it happened. While nobody observes this type, nothing is counted and no timer runs.
 *
 * <p>Each kind is told once when it begins and once when it is over, and not repeated meanwhile. {@link Kind#OPENED} is
 * told once in the cluster; all others by each instance that notices. An instance that stops tells no end.
 *
 * @param breaker the breaker's name; of a breaker with keys with the key, except for {@link Kind#FALLBACK_SHARE}; empty for
 *     {@link Kind#STORE_UNREACHABLE}
 * @param kind what it is
 * @param active true when it begins, false when it is over
 * @param message what happened: one line in English, with secrets masked
 * @param instance the instance that tells it
 * @param at when: for {@link Kind#OPENED} by the store's clock, else by that of the instance
 */
public record BreakerAlert(String breaker, Kind kind, boolean active, String message, String instance, Instant at) {

    public BreakerAlert {
        Objects.requireNonNull(breaker, "breaker");
        Objects.requireNonNull(kind, "kind");
        Objects.requireNonNull(message, "message");
        Objects.requireNonNull(instance, "instance");
        Objects.requireNonNull(at, "at");
    }

    /** What can be told. */
    public enum Kind {
        /**
         * The breaker opened; over when it has closed. Once in the cluster, like {@link BreakerTransition}: its beginning
         * on the instance whose write opened it, its end on the one whose write closed it. What is closed by SQL has no
         * end here. An instance that has lost the store tells what it does alone.
         */
        OPENED,

        /**
         * An instance has known the breaker to be open for {@code alerts.open-for}, 5 minutes by default, and no operator
         * forced it closed. If the instance had no call for it in all that time, the message says "no traffic": what it
         * knows may be old then, and nobody is affected. Over when the instance sees it closed.
         */
        OPEN_FOR_LONG,

        /**
         * More than {@code alerts.fallback-share}, 10 % by default, of an instance's calls in 5 minutes went to the
         * fallback, of {@code alerts.minimum-calls} at least. Over when that is so no more.
         */
        FALLBACK_SHARE,

        /**
         * An instance has seen the breaker open {@code alerts.flapping-openings} times in 30 minutes, 3 times by default,
         * whichever instances opened it. Over when the 30 minutes hold fewer.
         */
        FLAPPING,

        /** An instance has lost the store, and keeps its breakers in memory. Over when the store is back. */
        STORE_UNREACHABLE,

        /**
         * A provider refuses an instance (401, 403, 407): most likely a missing or expired key. Over when it has not done
         * so for 5 minutes.
         */
        MISCONFIGURED
    }
}
