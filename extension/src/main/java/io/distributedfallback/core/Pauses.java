package io.distributedfallback.core;

import io.distributedfallback.RetryAfter;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;

/**
 * Pauses that a provider asked for, as far as they matter: of those of some length the one that ends last, of those up to
 * some moment the latest. Which of the two ends later only the store can say, whose clock it is. Immutable.
 *
 * @param longest the one of some length that ends last
 * @param latest the latest up to some moment
 */
record Pauses(Optional<Pause<RetryAfter.In>> longest, Optional<Pause<RetryAfter.At>> latest) {

    static final Pauses NONE = new Pauses(Optional.empty(), Optional.empty());

    /**
     * A pause, and the failure that asked for it.
     *
     * @param asked how long it lasts
     * @param failure the failure
     * @param askedNanos when that was, by the instance's monotonic clock
     * @param endNanos when it is over at the latest, by the same clock
     * @param <R> how its end is given
     */
    record Pause<R extends RetryAfter>(R asked, Failures failure, long askedNanos, long endNanos) {

        private boolean endsAfter(Pause<R> other) {
            return endNanos - other.endNanos > 0;
        }

        private boolean isInForce(long now) {
            return endNanos - now > 0;
        }

        /** What is left of it. */
        RetryAfter left(long now) {
            if (asked instanceof RetryAfter.In in) {
                Duration left = in.delay().minusNanos(now - askedNanos);
                return new RetryAfter.In(left.isNegative() ? Duration.ZERO : left);
            }
            return asked;
        }

        /** The policy under which that cannot last longer than it could have from the moment in which it was asked for. */
        Policy limit(Policy policy, long now) {
            Duration left = Duration.ofNanos(Math.max(0, endNanos - now));
            return left.compareTo(policy.maxCooldown()) < 0
                    ? policy.toBuilder().maxCooldown(left).build()
                    : policy;
        }
    }

    /** @param limit no pause is longer, whatever is asked for */
    static Pauses of(RetryAfter asked, Duration limit, Failures failure, long now) {
        if (asked instanceof RetryAfter.In in) {
            Duration length = in.delay().compareTo(limit) < 0 ? in.delay() : limit;
            return new Pauses(
                    Optional.of(new Pause<>(new RetryAfter.In(length), failure, now, now + nanos(length))),
                    Optional.empty());
        }
        return new Pauses(
                Optional.empty(), Optional.of(new Pause<>((RetryAfter.At) asked, failure, now, now + nanos(limit))));
    }

    private static long nanos(Duration length) {
        return Math.min(TimeUnit.NANOSECONDS.convert(length), Long.MAX_VALUE / 2);
    }

    /** These, and others that were asked for later. */
    Pauses and(Pauses later) {
        return new Pauses(
                longest.filter(pause -> later.longest.map(pause::endsAfter).orElse(true))
                        .or(later::longest),
                latest.filter(pause -> later.latest
                                .map(other -> pause.asked()
                                        .moment()
                                        .isAfter(other.asked().moment()))
                                .orElse(true))
                        .or(later::latest));
    }

    /** Those that are not certain to be over. */
    Pauses stillInForce(long now) {
        return new Pauses(longest.filter(pause -> pause.isInForce(now)), latest.filter(pause -> pause.isInForce(now)));
    }

    List<Pause<? extends RetryAfter>> all() {
        return Stream.<Optional<? extends Pause<? extends RetryAfter>>>of(longest, latest)
                .<Pause<? extends RetryAfter>>flatMap(Optional::stream)
                .toList();
    }

    boolean isEmpty() {
        return longest.isEmpty() && latest.isEmpty();
    }
}
