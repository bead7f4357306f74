package io.distributedfallback.queue;

import io.distributedfallback.core.Background;
import io.distributedfallback.core.StoreException;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.RejectedExecutionException;

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
    private volatile long endsAtNanos;
    private volatile boolean over;

    /** @param beforeNanos a moment before the lease began */
    Batch(List<TakenCall> calls, long beforeNanos, CallQueue queue, QueueParts parts) {
        this.left = new ConcurrentLinkedQueue<>(calls);
        this.queue = queue;
        this.parts = parts;
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
            while (!left.isEmpty() && queue.mayMake() && isLeased()) {
                if (!make(left.element())) {
                    return false;
                }
                left.remove();
            }
            return left.isEmpty();
        } finally {
            over = true;
            giveBack();
        }
    }

    private boolean isLeased() {
        return endsAtNanos - parts.clock().nanos() > 0;
    }

    /** @return false if the thread is to end */
    private boolean make(TakenCall call) {
        QueueRules rules = queue.rules();
        if (call.age().compareTo(rules.maxAge()) > 0) {
            bury(call, "It was stored longer ago than maxAge allows");
            return true;
        }
        if (call.attempt() > rules.maxAttempts()) {
            bury(call, "Instances ended, again and again, while it was made");
            return true;
        }
        Outcome outcome;
        try {
            outcome = queue.attempt(call);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return false;
        }
        settle(call, outcome);
        return true;
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
        if (call.attempt() >= queue.rules().maxAttempts()) {
            bury(call, error);
            return;
        }
        Duration pause = queue.rules().pauseAfter(call.attempt(), queue.chance());
        if (parts.store().again(call, pause, true, Optional.of(error))) {
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
            parts.store().renew(List.copyOf(left), parts.lease());
            if (isLeased()) {
                // Else others may have taken calls before that: the one under way goes on, and none is begun.
                endsAtNanos = before + parts.lease().toNanos();
            }
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
