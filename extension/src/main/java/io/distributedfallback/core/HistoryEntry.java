package io.distributedfallback.core;

import io.distributedfallback.BreakerState;
import io.distributedfallback.BreakerStatus.LastFailure;
import io.distributedfallback.OperatorCommand;
import io.distributedfallback.OverrideMode;
import io.distributedfallback.TransitionCause;
import java.time.Instant;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Set;

/**
 * One entry of the history: a change of state, or an operator's command. For one breaker each entry starts from the state in
 * which the one before it ended.
 *
 * @param id grows with time; names the entry
 * @param breaker the breaker
 * @param at when, by the store's clock
 * @param from the state before
 * @param to the state after; the same if a command changed only the override, or nothing
 * @param cause what made the entry
 * @param instance the instance whose write it was; {@code sql} if it was made by hand
 * @param evidence what it rests on
 * @param command what an operator wanted, if one did
 */
public record HistoryEntry(
        long id,
        String breaker,
        Instant at,
        BreakerState from,
        BreakerState to,
        TransitionCause cause,
        String instance,
        Evidence evidence,
        Optional<Command> command) {

    public HistoryEntry {
        Objects.requireNonNull(breaker, "breaker");
        Objects.requireNonNull(at, "at");
        Objects.requireNonNull(from, "from");
        Objects.requireNonNull(to, "to");
        Objects.requireNonNull(cause, "cause");
        Objects.requireNonNull(instance, "instance");
        Objects.requireNonNull(evidence, "evidence");
        Objects.requireNonNull(command, "command");
    }

    /**
     * What a change rests on, as of the moment of the change.
     *
     * @param consecutiveFailures failures in a row
     * @param windowCalls calls in the window of {@code failure-ratio}
     * @param windowFailures the failures among them
     * @param probesPassed probes passed in a row
     * @param failingInstances the instances that the failures come from
     * @param lastFailures the last of them, the newest first
     * @param policy the policy in force where the change was made, as {@code key=value} pairs; empty for commands
     * @param rampUpPercent of an opening by {@link TransitionCause#RAMP_UP}: the share of calls that the primary got when a
     *     failure ended its growth, in percent, rounded down; else empty
     */
    public record Evidence(
            int consecutiveFailures,
            int windowCalls,
            int windowFailures,
            int probesPassed,
            Set<String> failingInstances,
            List<LastFailure> lastFailures,
            String policy,
            OptionalInt rampUpPercent) {

        public Evidence {
            failingInstances = Set.copyOf(failingInstances);
            lastFailures = List.copyOf(lastFailures);
        }

        /** Of a change that ended no growth of a share. */
        public Evidence(
                int consecutiveFailures,
                int windowCalls,
                int windowFailures,
                int probesPassed,
                Set<String> failingInstances,
                List<LastFailure> lastFailures,
                String policy) {
            this(
                    consecutiveFailures,
                    windowCalls,
                    windowFailures,
                    probesPassed,
                    failingInstances,
                    lastFailures,
                    policy,
                    OptionalInt.empty());
        }

        Evidence inRampUp(OptionalInt percent) {
            return new Evidence(
                    consecutiveFailures,
                    windowCalls,
                    windowFailures,
                    probesPassed,
                    failingInstances,
                    lastFailures,
                    policy,
                    percent);
        }
    }

    /**
     * An operator's command.
     *
     * @param action what was wanted
     * @param by by whom
     * @param reason why
     * @param overrideBefore the override in force before
     * @param overrideAfter the override in force after
     * @param overrideUntil when that one ends; empty if there is none, or until it is cleared
     */
    public record Command(
            OperatorCommand.Action action,
            String by,
            String reason,
            Optional<OverrideMode> overrideBefore,
            Optional<OverrideMode> overrideAfter,
            Optional<Instant> overrideUntil) {}
}
