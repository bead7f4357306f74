package io.distributedfallback.core;

import java.time.Duration;
import java.util.Objects;
import java.util.Optional;

/**
 * How calls of one breaker fared on one instance, in the order in which they ended: what one write carries. Any number
 * of them joins into one of the same size ({@link #then}), and says of the series what matters for a breaker: whether a
 * run of failures reached some length before a success ended it, and how many of how many calls failed. Immutable.
 *
 * @param calls successes and failures, 0 or more
 * @param firstRun the failures before the first success; all of them if there was none
 * @param longestRun the most failures in a row
 * @param lastRun the failures after the last success; all of them if there was none
 * @param failures all failures, with the kind and the text of the last one; empty if there was none
 * @param age how long ago the last of the calls that failed began; zero if that is not known
 */
public record Evidence(
        int calls, int firstRun, int longestRun, int lastRun, Optional<Failures> failures, Duration age) {

    /** No call at all. */
    public static final Evidence NONE = new Evidence(0, 0, 0, 0, Optional.empty());

    /** One call that did well. */
    public static final Evidence SUCCESS = successes(1);

    public Evidence {
        Objects.requireNonNull(failures, "failures");
        Objects.requireNonNull(age, "age");
    }

    /** Of which it is not known when the calls began. */
    public Evidence(int calls, int firstRun, int longestRun, int lastRun, Optional<Failures> failures) {
        this(calls, firstRun, longestRun, lastRun, failures, Duration.ZERO);
    }

    /** The same, of calls of which the last that failed began so long ago. */
    Evidence ofAge(Duration length) {
        return new Evidence(calls, firstRun, longestRun, lastRun, failures, length);
    }

    /** Failures with no success among them. */
    public static Evidence of(Failures failures) {
        int count = failures.count();
        return new Evidence(count, count, count, count, Optional.of(failures));
    }

    /** Successes with no failure among them. */
    static Evidence successes(int calls) {
        return new Evidence(calls, 0, 0, 0, Optional.empty());
    }

    /** This, and then what came later. Counts stop at {@link Integer#MAX_VALUE}. */
    Evidence then(Evidence later) {
        return new Evidence(
                sum(calls, later.calls),
                hasSuccess() ? firstRun : sum(firstRun, later.firstRun),
                Math.max(Math.max(longestRun, later.longestRun), sum(lastRun, later.firstRun)),
                later.hasSuccess() ? later.lastRun : sum(lastRun, later.lastRun),
                later.failures
                        .map(last -> failures.map(before -> before.then(last)).orElse(last))
                        .or(() -> failures),
                ageWith(later));
    }

    /** Of the two the younger: which of the calls that failed came back last says nothing of which began last. */
    private Duration ageWith(Evidence other) {
        if (failures.isEmpty() || other.failures.isEmpty()) {
            return failures.isEmpty() ? other.age : age;
        }
        return age.compareTo(other.age) < 0 ? age : other.age;
    }

    public int failureCount() {
        return failures.map(Failures::count).orElse(0);
    }

    /** Whether any call did well: that ends the run of failures before it. */
    public boolean hasSuccess() {
        return calls > failureCount();
    }

    boolean isEmpty() {
        return calls == 0;
    }

    /** Of two counts. */
    static int sum(int one, int other) {
        return (int) Math.min((long) one + other, Integer.MAX_VALUE);
    }
}
