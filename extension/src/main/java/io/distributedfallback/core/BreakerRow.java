package io.distributedfallback.core;

import io.distributedfallback.BreakerState;
import io.distributedfallback.BreakerStatus.Holds;
import io.distributedfallback.BreakerStatus.LastFailure;
import io.distributedfallback.BreakerStatus.RecoveryProgress;
import io.distributedfallback.BreakerStatus.Standing;
import io.distributedfallback.BreakerStatus.Window;
import java.time.Duration;
import java.util.Objects;
import java.util.Optional;

/**
 * One row of the store as it was at one moment. What lies in the future is given as the time remaining at that moment,
 * so that no wall clock but the store's is ever read.
 *
 * @param name the breaker
 * @param version grows with each change of the row, and goes on growing if the row is deleted and made again; 0 stands for
 *     a row that does not exist
 * @param standing state and count
 * @param window the calls counted for the failure ratio
 * @param recovery progress of the recovery
 * @param holds what outranks the state
 * @param lastFailure the last failure stored
 */
public record BreakerRow(
        String name,
        long version,
        Standing standing,
        Window window,
        RecoveryProgress recovery,
        Holds holds,
        Optional<LastFailure> lastFailure) {

    public BreakerRow {
        Objects.requireNonNull(name, "name");
        Objects.requireNonNull(standing, "standing");
        Objects.requireNonNull(window, "window");
        Objects.requireNonNull(recovery, "recovery");
        Objects.requireNonNull(holds, "holds");
        Objects.requireNonNull(lastFailure, "lastFailure");
    }

    /** An absent row: a breaker that never failed is closed and costs nothing to store. */
    public static BreakerRow absent(String name) {
        return new BreakerRow(
                name, 0, Standing.NEVER_FAILED, Window.NONE, RecoveryProgress.NONE, Holds.NONE, Optional.empty());
    }

    public boolean isOpen() {
        return standing.state() == BreakerState.OPEN;
    }

    /** Whether a success of the primary has something to reset. */
    public boolean isCounting() {
        return standing.state() == BreakerState.CLOSED && standing.consecutiveFailures() > 0;
    }

    /** Whether calls are counted for the failure ratio, those that do well among them. */
    public boolean hasWindow() {
        return !isOpen() && window.left().compareTo(Duration.ZERO) > 0;
    }

    /** Whether the row can change what some instance does; what does not matter need not be read. */
    public boolean matters() {
        return isOpen()
                || isCounting()
                || hasWindow()
                || holds.cooldownLeft().compareTo(Duration.ZERO) > 0
                || recovery.rampUp().isPresent()
                || holds.override().isPresent();
    }
}
