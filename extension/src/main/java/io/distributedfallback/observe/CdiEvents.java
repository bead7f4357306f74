package io.distributedfallback.observe;

import io.distributedfallback.BreakerAlert;
import io.distributedfallback.BreakerCommanded;
import io.distributedfallback.BreakerTransition;
import io.distributedfallback.ProviderMisconfigured;
import io.distributedfallback.StoreConnection;
import io.distributedfallback.core.AlertRules;
import io.distributedfallback.core.AlertTeller;
import io.distributedfallback.core.Alerts;
import io.distributedfallback.core.Background;
import io.distributedfallback.core.BreakerListener;
import io.distributedfallback.core.FailureText;
import io.distributedfallback.core.MonotonicClock;
import io.distributedfallback.core.Problem;
import io.distributedfallback.core.ProblemCode;
import io.distributedfallback.core.Retold;
import io.distributedfallback.core.StoreException;
import jakarta.enterprise.event.Event;
import jakarta.enterprise.inject.spi.BeanManager;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.RejectedExecutionException;

/**
 * Fires what the engine tells as CDI events, on a managed thread: an observer that throws or is slow hurts nobody but
 * those observers that come after it. What one throws is logged.
 */
public final class CdiEvents implements BreakerListener {

    private static final System.Logger LOG = System.getLogger("io.distributedfallback");

    private static final Clock CLOCK = Clock.systemUTC();

    private final BeanManager beans;
    private final Background background;
    private final AtMostOncePer misconfigured;
    private final InTurn alerts;
    private final InTurn connections;
    private final Queue<StoreConnection> unfired = new ConcurrentLinkedQueue<>();
    private volatile String lossReason = "";

    public CdiEvents(BeanManager beans, Background background, AtMostOncePer misconfigured) {
        this.beans = beans;
        this.background = background;
        this.misconfigured = misconfigured;
        this.alerts = new InTurn(background);
        this.connections = new InTurn(background);
    }

    /**
     * Notices what is to be told as alerts.
     *
     * @param instance the name of this instance
     * @return empty if nobody observes them: for nobody nothing is counted, and no timer set
     */
    public Optional<Alerts> alerts(AlertRules rules, MonotonicClock clock, String instance) {
        BreakerAlert any = new BreakerAlert("", BreakerAlert.Kind.OPENED, false, "", "", Instant.EPOCH);
        return beans.resolveObserverMethods(any).isEmpty()
                ? Optional.empty()
                : Optional.of(new Alerts(rules, background, clock, new AlertTeller(instance, CLOCK, this::alerted)));
    }

    /** Those of one breaker are fired one after the other, as they came. */
    private void alerted(BreakerAlert alert) {
        try {
            alerts.run(alert.breaker(), () -> fireNow(BreakerAlert.class, alert));
        } catch (RejectedExecutionException e) {
            notFired(alert, e);
        }
    }

    @Override
    public void transitioned(BreakerTransition transition) {
        fire(BreakerTransition.class, transition);
    }

    @Override
    public void commanded(BreakerCommanded commanded) {
        fire(BreakerCommanded.class, commanded);
    }

    @Override
    public void storeLost(StoreException reason) {
        lossReason = FailureText.clean(reason.getMessage());
        connection(new StoreConnection(false, CLOCK.instant(), lossReason, Duration.ZERO, 0));
    }

    @Override
    public void storeBack(Duration away, int failures) {
        connection(new StoreConnection(true, CLOCK.instant(), lossReason, away, failures));
    }

    /** Fired one after the other, as they came. What no thread can be had for waits: that may be why the store is lost. */
    private void connection(StoreConnection changed) {
        unfired.add(changed);
        try {
            connections.run("", this::fireConnections);
        } catch (RejectedExecutionException e) {
            // Never more than a loss and its return: those before it are old news.
            while (unfired.size() > 2) {
                StoreConnection unused = unfired.poll();
            }
        }
    }

    private void fireConnections() {
        for (StoreConnection next = unfired.poll(); next != null; next = unfired.poll()) {
            fireNow(StoreConnection.class, next);
        }
    }

    @Override
    public void misconfigured(String breaker, String failure) {
        if (misconfigured.allows(breaker)) {
            fire(ProviderMisconfigured.class, new ProviderMisconfigured(breaker, failure));
        }
    }

    private <T> void fire(Class<T> type, T payload) {
        try {
            background.run(() -> fireNow(type, payload));
        } catch (RejectedExecutionException e) {
            notFired(payload, e);
        }
    }

    private <T> void fireNow(Class<T> type, T payload) {
        try {
            Event<T> event = beans.getEvent().select(type);
            event.fireAsync(payload).whenComplete((fired, thrown) -> {
                if (thrown != null) {
                    observerFailed(payload, thrown);
                }
            });
            event.fire(payload);
        } catch (RuntimeException | Error e) {
            observerFailed(payload, e);
        }
    }

    private static void observerFailed(Object payload, Throwable thrown) {
        LOG.log(
                System.Logger.Level.WARNING,
                "{0}",
                new Problem(
                        ProblemCode.DFB416,
                        FailureText.oneLine(payload.toString()),
                        FailureText.of(thrown),
                        "Mend the observer; breakers and callers are not affected, but observers after it have not heard"));
        Retold.log(LOG, System.Logger.Level.DEBUG, "how an observer failed", thrown);
    }

    private static void notFired(Object payload, RejectedExecutionException e) {
        LOG.log(
                System.Logger.Level.WARNING,
                "{0}. An event was not fired: {1}",
                StoreException.noThread(e).getMessage(),
                FailureText.oneLine(payload.toString()));
    }
}
