package io.distributedfallback.core;

import io.distributedfallback.RetryAfter;
import java.time.Duration;
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
    /** What earlier loads carried in vain. */
    private final Backlog kept;

    private final Backlog arrived;
    private final AtomicReference<Untold> untold = new AtomicReference<>(Untold.NOTHING);
    private int told;

    /** @param maxAgeNanos evidence is dropped when it is older */
    Load(long maxAgeNanos) {
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

    /** @param beganNanos when the last of the calls began that failed */
    void add(Failures failures, long beganNanos, long now) {
        arrived.add(Evidence.of(failures), beganNanos, now);
        told++;
    }

    void addSuccess(long now) {
        arrived.add(Evidence.SUCCESS, now, now);
        told++;
    }

    /** @param longest the longest that it lasts, whatever is asked for */
    void add(RetryAfter asked, Duration longest, Failures failure, long now) {
        arrived.add(asked, longest, failure, now);
        told++;
    }

    /** Takes along what came earlier, and what no stand-in that may get this has been told. */
    void takeAlong(Backlog earlier, long now) {
        Evidence more = earlier.evidence(now);
        kept.addFirst(earlier);
        arrived.forgetVoidEvidenceOf(kept);
        untold.updateAndGet(all -> new Untold(more.then(all.evidence()), all.pauses()));
    }

    /**
     * Nothing that has happened is added from now on.
     *
     * @param standInKnowsKept whether the stand-in that takes this if the shared store does not has been told what is taken
     *     along; one that takes the place of a store that was back in between has not
     */
    Load setOut(boolean standInKnowsKept, long now) {
        untold.set(
                standInKnowsKept
                        ? new Untold(arrived.evidence(now), arrived.pauses())
                        : new Untold(kept.evidence(now).then(arrived.evidence(now)), pauses()));
        return this;
    }

    /** What the stand-in has not been told; it is told by whoever asks first. */
    Untold takeUntold() {
        return untold.getAndSet(Untold.NOTHING);
    }

    /** Of what was taken along, forgets what is too old: it may have been kept for longer in the stand-in. */
    void forgetOld(long now) {
        kept.forgetOld(now);
    }

    /** What was taken along: it goes first, and by itself, because what has happened meanwhile may have made it void. */
    Backlog kept() {
        return kept;
    }

    /** What has come for this write. */
    Backlog arrived() {
        return arrived;
    }

    Pauses pauses() {
        return kept.pauses().and(arrived.pauses());
    }

    boolean isEmpty() {
        return arrived.isEmpty();
    }

    /** Whether anything is in it that no shared store has taken. */
    boolean hasRest() {
        return !kept.isEmpty() || !arrived.isEmpty();
    }

    boolean hasFailures() {
        return kept.hasFailures() || arrived.hasFailures();
    }

    /** Whether nothing has arrived that a success would have to come after. */
    boolean isGood() {
        return !arrived.hasFailures() && arrived.pauses().isEmpty();
    }

    /** It has been written, or nobody wants it. The stand-in need not be told either: it starts from what was written. */
    void forgetEvidence() {
        kept.forgetEvidence();
        arrived.forgetEvidence();
        untold.updateAndGet(Untold::withoutEvidence);
    }

    /** So has what was taken along, and that alone. */
    void forgetEvidenceOfKept(long now) {
        kept.forgetEvidence();
        Evidence left = arrived.evidence(now);
        untold.updateAndGet(all -> all.evidence().isEmpty() ? all : new Untold(left, all.pauses()));
    }

    /** They have been written. */
    void forgetPauses() {
        kept.forgetPauses();
        arrived.forgetPauses();
    }

    /** Gives what is left back to whoever keeps it, ahead of what has come since. */
    void returnTo(Backlog keeper) {
        keeper.addFirst(arrived);
        keeper.addFirst(kept);
    }

    /** Gives what is left to whoever keeps it, after what came before. */
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
