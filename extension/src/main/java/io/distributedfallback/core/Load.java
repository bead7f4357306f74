package io.distributedfallback.core;

import io.distributedfallback.RetryAfter;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.atomic.AtomicReference;

/**
 * What one write of a {@link CoalescingWriter} carries. While it waits it is filled, under the lock of the writer. Once it
 * has set out it belongs to the thread that carries it, and only {@link #takeUntold} and {@link #landed} are for any.
 */
final class Load {

    private static final int CROWD = 16;

    private final CompletableFuture<Void> landed = new CompletableFuture<>();
    private final long maxAgeNanos;

    /** What the stand-in knows already. */
    private final Backlog kept;

    private final Backlog arrived;
    private final AtomicReference<Untold> untold = new AtomicReference<>(Untold.NOTHING);
    private Pauses pauses = Pauses.NONE;
    private int told;

    /** @param maxAgeNanos evidence is dropped when it is older */
    Load(long maxAgeNanos) {
        this.maxAgeNanos = maxAgeNanos;
        kept = new Backlog(maxAgeNanos);
        arrived = new Backlog(maxAgeNanos);
    }

    /** What the stand-in has not been told. */
    record Untold(Evidence evidence, Pauses pauses) {
        static final Untold NOTHING = new Untold(Evidence.NONE, Pauses.NONE);

        Untold withoutEvidence() {
            return new Untold(Evidence.NONE, pauses);
        }
    }

    void add(Evidence evidence, long now) {
        arrived.add(evidence, now);
        told++;
    }

    void add(RetryAfter asked, Failures failure) {
        pauses = pauses.and(asked, failure);
        told++;
    }

    /** Takes along what came earlier, and what the stand-in knows. */
    void takeAlong(Backlog earlier) {
        kept.addFirst(earlier);
    }

    /** Nothing is added from now on. */
    Load setOut() {
        untold.set(new Untold(arrived.all(), pauses));
        return this;
    }

    /** What the stand-in has not been told; it is told by whoever asks first. */
    Untold takeUntold() {
        return untold.getAndSet(Untold.NOTHING);
    }

    /** All evidence, in its order. */
    Evidence evidence() {
        return kept.all().then(arrived.all());
    }

    Pauses pauses() {
        return pauses;
    }

    boolean isEmpty() {
        return arrived.isEmpty() && pauses.isEmpty();
    }

    /** Whether nothing has arrived that a success would have to come after. */
    boolean isGood() {
        return !arrived.hasFailures() && pauses.isEmpty();
    }

    /** It has been written, or nobody wants it. The stand-in need not be told either: it starts from what was written. */
    void forgetEvidence() {
        kept.clear();
        arrived.clear();
        untold.updateAndGet(Untold::withoutEvidence);
    }

    Backlog takeEvidence() {
        Backlog taken = new Backlog(maxAgeNanos);
        returnTo(taken);
        return taken;
    }

    /** Gives the evidence back to whoever keeps it, ahead of what has come since. */
    void returnTo(Backlog keeper) {
        keeper.addFirst(arrived);
        keeper.addFirst(kept);
    }

    /** Gives the evidence to whoever keeps it, after what came before. */
    void passTo(Backlog keeper) {
        keeper.addLast(kept);
        keeper.addLast(arrived);
    }

    /** Completes when this has been written somewhere. */
    CompletableFuture<Void> landed() {
        return landed;
    }

    /** Wakes whoever waits. If these are many another thread does it: this one may have the next write to make. */
    void wake(Background background) {
        if (told > CROWD) {
            try {
                background.run(this::wake);
                return;
            } catch (RejectedExecutionException e) {
                // Then it takes this one a little longer.
            }
        }
        wake();
    }

    /** Wakes whoever waits, on this thread, unless another one has begun with it. */
    void wake() {
        if (!landed.isDone()) {
            landed.complete(null);
        }
    }
}
