package io.distributedfallback.observe;

import io.distributedfallback.BreakerCommanded;
import io.distributedfallback.BreakerTransition;
import io.distributedfallback.ProviderMisconfigured;
import io.distributedfallback.core.Background;
import io.distributedfallback.core.BreakerListener;
import io.distributedfallback.core.FailureText;
import io.distributedfallback.core.StoreException;
import jakarta.enterprise.inject.spi.BeanManager;
import java.util.concurrent.RejectedExecutionException;

/**
 * Fires what the engine tells as CDI events, on a managed thread: an observer that throws or is slow hurts nobody but
 * those observers that come after it.
 */
public final class CdiEvents implements BreakerListener {

    private static final System.Logger LOG = System.getLogger("io.distributedfallback");

    private final BeanManager beans;
    private final Background background;
    private final AtMostOncePer misconfigured;

    public CdiEvents(BeanManager beans, Background background, AtMostOncePer misconfigured) {
        this.beans = beans;
        this.background = background;
        this.misconfigured = misconfigured;
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
    public void misconfigured(String breaker, String failure) {
        if (misconfigured.allows(breaker)) {
            fire(ProviderMisconfigured.class, new ProviderMisconfigured(breaker, failure));
        }
    }

    private <T> void fire(Class<T> type, T payload) {
        try {
            background.run(() -> {
                beans.getEvent().select(type).fireAsync(payload);
                beans.getEvent().select(type).fire(payload);
            });
        } catch (RejectedExecutionException e) {
            LOG.log(
                    System.Logger.Level.WARNING,
                    "{0}. An event was not fired: {1}",
                    StoreException.noThread(e).getMessage(),
                    FailureText.oneLine(payload.toString()));
        }
    }
}
