package io.distributedfallback.core;

import io.distributedfallback.RetryAfter;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * Pauses that a provider asked for, as far as they matter: of those of some length the longest, of those up to some moment
 * the latest. Which of the two ends later only the store can say, whose clock it is. Immutable.
 *
 * @param longest the longest of some length
 * @param latest the latest up to some moment
 */
record Pauses(Optional<Pause<RetryAfter.In>> longest, Optional<Pause<RetryAfter.At>> latest) {

    static final Pauses NONE = new Pauses(Optional.empty(), Optional.empty());

    /**
     * A pause, and the failure that asked for it.
     *
     * @param asked how long it lasts
     * @param failure the failure
     * @param <R> how its end is given
     */
    record Pause<R extends RetryAfter>(R asked, Failures failure) {}

    Pauses and(RetryAfter asked, Failures failure) {
        return asked instanceof RetryAfter.In in ? andLength(in, failure) : andEnd((RetryAfter.At) asked, failure);
    }

    private Pauses andLength(RetryAfter.In in, Failures failure) {
        boolean isCovered = longest.filter(pause -> pause.asked().delay().compareTo(in.delay()) > 0)
                .isPresent();
        return isCovered ? this : new Pauses(Optional.of(new Pause<>(in, failure)), latest);
    }

    private Pauses andEnd(RetryAfter.At at, Failures failure) {
        boolean isCovered = latest.filter(pause -> pause.asked().moment().isAfter(at.moment()))
                .isPresent();
        return isCovered ? this : new Pauses(longest, Optional.of(new Pause<>(at, failure)));
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
