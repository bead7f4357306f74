package io.distributedfallback.observe;

import io.distributedfallback.BreakerCommanded;
import io.distributedfallback.BreakerTransition;
import io.distributedfallback.FailureKind;
import io.distributedfallback.core.BreakerListener;
import io.distributedfallback.core.BreakerRow;
import io.distributedfallback.core.LimitReason;
import io.distributedfallback.core.ProbeVerdict;
import io.distributedfallback.core.Problem;
import io.distributedfallback.core.QueueStep;
import io.distributedfallback.core.StoreException;
import java.time.Duration;
import java.util.Collection;
import java.util.List;
import java.util.function.Consumer;

/** Tells several listeners, one after the other; one that throws keeps nothing from the others. */
public final class Listeners implements BreakerListener {

    private static final System.Logger LOG = System.getLogger("io.distributedfallback");

    private final List<BreakerListener> listeners;

    public Listeners(BreakerListener... listeners) {
        this.listeners = List.of(listeners);
    }

    @Override
    public void transitioned(BreakerTransition transition) {
        tell(listener -> listener.transitioned(transition));
    }

    @Override
    public void rampsUp(String breaker, Duration length) {
        tell(listener -> listener.rampsUp(breaker, length));
    }

    @Override
    public void commanded(BreakerCommanded commanded) {
        tell(listener -> listener.commanded(commanded));
    }

    @Override
    public void misconfigured(String breaker, String failure) {
        tell(listener -> listener.misconfigured(breaker, failure));
    }

    @Override
    public void probed(String breaker, ProbeVerdict verdict, String reason) {
        tell(listener -> listener.probed(breaker, verdict, reason));
    }

    @Override
    public void queued(String breaker, QueueStep step) {
        tell(listener -> listener.queued(breaker, step));
    }

    @Override
    public void storeLost(StoreException reason) {
        tell(listener -> listener.storeLost(reason));
    }

    @Override
    public void storeBack(Duration away, int failures) {
        tell(listener -> listener.storeBack(away, failures));
    }

    @Override
    public void guardsItsStore(String breaker, String evidence) {
        tell(listener -> listener.guardsItsStore(breaker, evidence));
    }

    @Override
    public void listening() {
        tell(BreakerListener::listening);
    }

    @Override
    public void notListening(StoreException reason, boolean insisted) {
        tell(listener -> listener.notListening(reason, insisted));
    }

    @Override
    public void storeRead(Collection<BreakerRow> open, long askedNanos) {
        tell(listener -> listener.storeRead(open, askedNanos));
    }

    @Override
    public void storeTrouble(StoreException reason) {
        tell(listener -> listener.storeTrouble(reason));
    }

    @Override
    public void misread(Problem problem) {
        tell(listener -> listener.misread(problem));
    }

    @Override
    public void thresholdDiffers(String breaker, int here, int there) {
        tell(listener -> listener.thresholdDiffers(breaker, here, there));
    }

    @Override
    public void tooManyKeys(String breaker, int most) {
        tell(listener -> listener.tooManyKeys(breaker, most));
    }

    @Override
    public void keepsAwayAlone(String breaker, boolean away) {
        tell(listener -> listener.keepsAwayAlone(breaker, away));
    }

    @Override
    public void fallbackLimited(String breaker, String limit, LimitReason reason) {
        tell(listener -> listener.fallbackLimited(breaker, limit, reason));
    }

    @Override
    public void fallbackPaused(String limit, Duration pause, String failure) {
        tell(listener -> listener.fallbackPaused(limit, pause, failure));
    }

    @Override
    public void permitsLost(String limit, int share, StoreException reason) {
        tell(listener -> listener.permitsLost(limit, share, reason));
    }

    @Override
    public void permitsBack(String limit) {
        tell(listener -> listener.permitsBack(limit));
    }

    @Override
    public void classifierFailed(String breaker, FailureKind taken, Throwable thrown) {
        tell(listener -> listener.classifierFailed(breaker, taken, thrown));
    }

    private void tell(Consumer<BreakerListener> news) {
        for (BreakerListener listener : listeners) {
            try {
                news.accept(listener);
            } catch (RuntimeException | LinkageError e) {
                LOG.log(System.Logger.Level.WARNING, "a listener failed", e);
            }
        }
    }
}
