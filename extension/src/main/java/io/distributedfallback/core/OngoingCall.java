package io.distributedfallback.core;

import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.BooleanSupplier;

/**
 * A call on its way to the primary. With {@code slow-call} on, two may want to speak of it: its end, and the timer that
 * finds it overdue before. The first of them counts, the other does not.
 */
final class OngoingCall {

    /** One that is neither timed nor a trial: nothing of it need be kept, not even when it began. */
    static final OngoingCall HEALTHY = new OngoingCall(Admission.ROUTED, Optional.empty(), 0);

    private final Admission admission;
    private final Optional<Duration> limit;
    private final long startedNanos;
    private final AtomicBoolean counted = new AtomicBoolean();
    private volatile BooleanSupplier done = () -> false;
    private volatile boolean inTime;

    /** When its time began to run: when it set out, or when its instance last awoke. */
    private volatile long runsSinceNanos;

    /** @param limit the {@code slow-call} of the moment when it began */
    OngoingCall(Admission admission, Optional<Duration> limit, long startedNanos) {
        this.admission = admission;
        this.limit = limit;
        this.startedNanos = startedNanos;
        this.runsSinceNanos = startedNanos;
    }

    /** The same, of which whoever made it knows when it began. */
    OngoingCall begunAt(long nanos) {
        return this == HEALTHY ? new OngoingCall(admission, limit, nanos) : this;
    }

    long startedNanos() {
        return startedNanos;
    }

    /** The lease of a trial call. */
    Optional<Lease> lease() {
        return admission.lease();
    }

    /** The token of the recovery whose growing share it belongs to; 0 if there is none. */
    long ramp() {
        return admission.ramp();
    }

    boolean isTimed() {
        return limit.isPresent();
    }

    /** Whether whoever asks is the first to speak of it. */
    boolean count() {
        return limit.isEmpty() || counted.compareAndSet(false, true);
    }

    /** Whether it has been found overdue, and so has been counted before its end. */
    boolean isCounted() {
        return counted.get();
    }

    /** The time until it is overdue; negative if it is. */
    long leftNanos(long now) {
        return limit.map(longest -> longest.toNanos() - (now - runsSinceNanos)).orElse(Long.MAX_VALUE);
    }

    /** Its instance has stood still: nobody knows how long the primary has taken, so its time begins anew. */
    void beginAnew(long now) {
        runsSinceNanos = now;
    }

    /** Whether somebody who was to come for it at that moment, and comes now, must have stood still: see {@link Patience}. */
    boolean isSleptThrough(long dueNanos, long now) {
        return limit.isPresent()
                && runsSinceNanos - dueNanos <= 0
                && Patience.stoodStill(limit.get().toNanos() + now - dueNanos, limit.get());
    }

    boolean isOverdue(long now) {
        return !inTime && leftNanos(now) < 0;
    }

    /** For a call that may be done with nobody told: how to find that out when it is overdue. */
    void askWhenOverdue(BooleanSupplier isDone) {
        done = isDone;
    }

    /** Now that it is about to be overdue: whether it is done, and so was in time, however late its end is told. */
    boolean turnsOutInTime() {
        if (done.getAsBoolean()) {
            inTime = true;
        }
        return inTime;
    }

    /** How it is counted if it is too slow. */
    String describe(String ending, long now) {
        return ending + " after " + Duration.ofNanos(now - startedNanos).toMillis() + " ms, slow-call is "
                + limit.orElse(Duration.ZERO).toMillis() + " ms";
    }
}
