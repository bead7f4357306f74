package io.distributedfallback.core;

import io.distributedfallback.BreakerStatus.Window;
import java.time.Instant;

/** The calls that a {@link MemoryRow} counts for the failure ratio. */
final class MemoryWindow {

    private int calls;
    private int failures;
    private Instant until;

    void adopt(Window read, Instant now) {
        calls = read.calls();
        failures = read.failures();
        until = MemoryDeadline.endOf(read.left(), now);
    }

    boolean isUnderWay(Instant now) {
        return !MemoryDeadline.hasCome(until, now);
    }

    void begin(Instant end) {
        until = end;
    }

    void add(Evidence evidence) {
        calls = Evidence.sum(calls, evidence.calls());
        failures = Evidence.sum(failures, evidence.failureCount());
    }

    boolean reaches(Policy policy) {
        return policy.failureRatio().isPresent()
                && calls >= policy.minimumCalls()
                // Divided, and not multiplied: 7 of 100 are 0.07, but 0.07 * 100 is a little more than 7.
                && (double) failures / calls >= policy.failureRatio().getAsDouble();
    }

    /** What was counted is still shown. */
    void end() {
        until = null;
    }

    void clear() {
        calls = 0;
        failures = 0;
        until = null;
    }

    Window asOf(Instant now) {
        return new Window(calls, failures, MemoryDeadline.left(until, now));
    }
}
