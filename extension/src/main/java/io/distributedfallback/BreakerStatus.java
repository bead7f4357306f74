package io.distributedfallback;

import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Set;
import java.util.concurrent.TimeUnit;

/**
 * A breaker as this instance knows it. Immutable; durations are what remains at the moment of the reading.
 *
 * @param breaker the breaker's name
 * @param route where a call goes now
 * @param alone whether this instance goes to the fallback on its own evidence: the provider fails here, and fewer
 *     instances than the {@code quorum} say so
 * @param standing its state and the failures counted towards the next opening
 * @param window the calls counted for {@code failure-ratio}
 * @param recovery what an open breaker waits for, and how far one that has closed is back at full traffic
 * @param holds what outranks the state in routing
 * @param lastFailure the last failure that was counted or that started a cooldown, if any
 * @param copyAge how old this knowledge is; empty if the store has not been read yet
 */
public record BreakerStatus(
        String breaker,
        Route route,
        boolean alone,
        Standing standing,
        Window window,
        RecoveryProgress recovery,
        Holds holds,
        Optional<LastFailure> lastFailure,
        Optional<Duration> copyAge) {

    /**
     * State and count.
     *
     * @param state the state
     * @param consecutiveFailures failures in a row over all instances; counted while closed, so while open those that
     *     opened it
     * @param countedAgainst the {@code failure-threshold} of the instance that counted last; empty if none are counted.
     *     Instances with different policies, as during a rolling deploy, count in turn against different ones
     * @param failingInstances the instances that these failures, and those of the window, come from; while open those that
     *     opened it. A few are enough: if more than the {@code quorum} fail, not all need be here
     * @param openedAt when it opened last, by the store's clock, if ever
     * @param closedAt when it closed last, by the store's clock, if ever
     */
    public record Standing(
            BreakerState state,
            int consecutiveFailures,
            OptionalInt countedAgainst,
            Set<String> failingInstances,
            Optional<Instant> openedAt,
            Optional<Instant> closedAt) {

        /** Of a breaker that nothing is stored of. */
        public static final Standing NEVER_FAILED =
                new Standing(BreakerState.CLOSED, 0, OptionalInt.empty(), Set.of(), Optional.empty(), Optional.empty());

        public Standing {
            failingInstances = Set.copyOf(failingInstances);
        }
    }

    /**
     * The calls of all instances since a failure began to be looked at, for {@code failure-ratio}.
     *
     * @param calls successes and failures
     * @param failures the failures among them
     * @param left how long they still count; zero if there is no window under way
     */
    public record Window(int calls, int failures, Duration left) {

        /** No window is under way. */
        public static final Window NONE = new Window(0, 0, Duration.ZERO);
    }

    /**
     * The way back of an open breaker, and of one that has closed.
     *
     * @param consecutiveSuccesses probes passed in a row
     * @param untilNextProbe the time to the next probe, zero if it is due; empty while closed
     * @param leaseLeft how long the lease of a probe under way still lasts; zero if none is
     * @param token the number of the last lease granted, 0 if none ever was; only grows
     * @param rampUp how far the share of calls that go to the primary has grown; empty while open, and when all of them do
     */
    public record RecoveryProgress(
            int consecutiveSuccesses,
            Optional<Duration> untilNextProbe,
            Duration leaseLeft,
            long token,
            Optional<RampUp> rampUp) {

        /** Of a breaker that never opened. */
        public static final RecoveryProgress NONE = new RecoveryProgress(0, Optional.empty(), Duration.ZERO, 0);

        /** With all calls going to the primary, or none. */
        public RecoveryProgress(
                int consecutiveSuccesses, Optional<Duration> untilNextProbe, Duration leaseLeft, long token) {
            this(consecutiveSuccesses, untilNextProbe, leaseLeft, token, Optional.empty());
        }
    }

    /**
     * The way back to full traffic of a breaker that has closed, with {@code ramp-up}.
     *
     * @param left the time until all calls go to the primary, above zero. It is longer than {@code length} while a pause,
     *     which the provider asked for, keeps the growth from beginning
     * @param length the time in which the share grows from 0 to 1
     */
    public record RampUp(Duration left, Duration length) {

        /**
         * The share of calls that go to the primary now.
         *
         * @return 0 to 1
         */
        public double share() {
            double nanos = TimeUnit.NANOSECONDS.convert(length);
            double gone = nanos - TimeUnit.NANOSECONDS.convert(left);
            return nanos > 0 ? Math.min(Math.max(gone / nanos, 0), 1) : 1;
        }
    }

    /**
     * What outranks the state in routing.
     *
     * @param cooldownLeft how long callers still keep away because the provider throttles; zero if they need not
     * @param override an operator's word, if there is one
     */
    public record Holds(Duration cooldownLeft, Optional<OperatorOverride> override) {

        /** Nothing outranks the state. */
        public static final Holds NONE = new Holds(Duration.ZERO, Optional.empty());
    }

    /**
     * An operator's word.
     *
     * @param mode what it says
     * @param by who said it
     * @param reason why
     * @param left how long it still holds; empty if until it is cleared
     */
    public record OperatorOverride(OverrideMode mode, String by, String reason, Optional<Duration> left) {}

    /**
     * The last failure.
     *
     * @param at when, by the store's clock
     * @param kind its kind
     * @param text what was seen: one line, cut, with secrets masked
     * @param instance the instance that saw it
     */
    public record LastFailure(Instant at, FailureKind kind, String text, String instance) {}
}
