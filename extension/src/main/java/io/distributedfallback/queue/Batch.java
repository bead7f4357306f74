package io.distributedfallback.queue;

import io.distributedfallback.core.Background;
import io.distributedfallback.core.FailureText;
import io.distributedfallback.core.StoreException;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.Queue;
import java.util.Set;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.RejectedExecutionException;
import java.util.function.BooleanSupplier;

/**
 * Calls that were taken together, with one lease. It is prolonged while they are made. A call is not begun with a lease
 * that may have ended, and what is not begun is given back.
 */
final class Batch {

    /** What a call that the breaker kept away waits, where the breaker that keeps it away is one of its key. */
    private static final Duration KEPT_AWAY = Duration.ofSeconds(5);

    private static final int RENEWALS_PER_LEASE = 3;

    private final Queue<TakenCall> left;
    private final CallQueue queue;
    private final QueueParts parts;
    private final BooleanSupplier mayMake;
    private final boolean counts;
    private volatile long endsAtNanos;
    private volatile boolean over;

    /** Only the worker's thread asks. */
    private boolean interrupted;

    /**
     * @param beforeNanos a moment before the lease began
     * @param mayMake asked before each call
     * @param counts whether an attempt that fails counts
     */
    Batch(
            List<TakenCall> calls,
            long beforeNanos,
            CallQueue queue,
            QueueParts parts,
            BooleanSupplier mayMake,
            boolean counts) {
        this.left = new ConcurrentLinkedQueue<>(calls);
        this.queue = queue;
        this.parts = parts;
        this.mayMake = mayMake;
        this.counts = counts;
        this.endsAtNanos = beforeNanos + parts.lease().toNanos();
    }

    /**
     * Makes them.
     *
     * @return false if calls may not be made any longer
     */
    boolean make() {
        prolongLater();
        try {
            // One that has gone to another instance is taken out at any moment.
            for (TakenCall call = left.peek(); call != null; call = left.peek()) {
                if (!mayMake.getAsBoolean() || !isLeased()) {
                    return false;
                }
                make(call);
                boolean unused = left.remove(call);
            }
            return true;
        } finally {
            over = true;
            giveBack();
            if (interrupted && queue.isStopped()) {
                Thread.currentThread().interrupt();
            }
        }
    }

    boolean isOver() {
        return left.isEmpty();
    }

    int size() {
        return left.size();
    }

    private boolean isLeased() {
        return endsAtNanos - parts.clock().nanos() > 0;
    }

    private void make(TakenCall call) {
        QueueRules rules = queue.rules();
        if (call.age().compareTo(rules.maxAge()) > 0) {
            bury(call, "It was stored longer ago than maxAge allows");
        } else if (call.attempt() > rules.maxAttempts()) {
            bury(call, "Instances ended, again and again, while it was made");
        } else {
            settle(call, attempt(call));
        }
    }

    /**
     * What a call does to its thread must not meet the next one, nor what is written of this one: pools of connections refuse
     * a thread that is interrupted.
     */
    private Outcome attempt(TakenCall call) {
        try {
            return queue.attempt(call);
        } catch (InterruptedException e) {
            interrupted = true;
            return new Outcome(Outcome.Kind.FAILED, FailureText.of(e));
        } finally {
            interrupted |= Thread.interrupted();
        }
    }

    private void settle(TakenCall call, Outcome outcome) {
        if (queue.isStopped() && outcome.kind() != Outcome.Kind.DONE) {
            // An application that stops fails in ways that say nothing of the call.
            boolean unused = parts.store().again(call, Duration.ZERO, false, Optional.empty());
            return;
        }
        switch (outcome.kind()) {
            case DONE -> {
                if (isEntered(call)) {
                    parts.listener().replayed(queue.name());
                } else {
                    parts.listener().overtaken(queue.name(), call.id());
                }
            }
            case KEPT_AWAY -> parts.store().again(call, KEPT_AWAY, false, Optional.empty());
            case FAILED -> failed(call, outcome.error());
            case HOPELESS -> bury(call, outcome.error());
        }
    }

    /** Tried twice: a call that has been made and is not known to be is made again. */
    private boolean isEntered(TakenCall call) {
        try {
            return parts.store().done(call);
        } catch (StoreException e) {
            parts.listener().trouble(e);
            return parts.store().done(call);
        }
    }

    private void failed(TakenCall call, String error) {
        if (counts && call.attempt() >= queue.rules().maxAttempts()) {
            bury(call, error);
            return;
        }
        Duration pause = queue.rules().pauseAfter(call.attempt(), queue.chance());
        if (parts.store().again(call, pause, counts, Optional.of(error))) {
            parts.listener().failed(queue.name());
        }
    }

    private void bury(TakenCall call, String error) {
        if (parts.store().dead(call, error)) {
            parts.listener().dead(queue.name(), call.id(), error);
        }
    }

    private void prolongLater() {
        try {
            Background.Task unused =
                    parts.background().schedule(parts.lease().dividedBy(RENEWALS_PER_LEASE), this::prolong);
        } catch (RejectedExecutionException e) {
            parts.listener().trouble(StoreException.noThread(e));
        }
    }

    private void prolong() {
        if (over) {
            return;
        }
        long before = parts.clock().nanos();
        try {
            Set<Long> held = parts.store().renew(List.copyOf(left), parts.lease());
            boolean unused = left.removeIf(call -> !held.contains(call.id()));
            endsAtNanos = before + parts.lease().toNanos();
        } catch (StoreException e) {
            parts.listener().trouble(e);
        }
        prolongLater();
    }

    private void giveBack() {
        try {
            parts.store().giveBack(List.copyOf(left));
        } catch (StoreException e) {
            // The lease ends by itself.
            parts.listener().trouble(e);
        }
    }
}
