package io.distributedfallback.core;

import io.distributedfallback.BreakerState;
import io.distributedfallback.BreakerTransition;
import io.distributedfallback.FailureKind;

/** Tells of a breaker that an instance keeps for itself, whose changes are no changes of the cluster's. */
record ToldAlone(BreakerListener listener) implements BreakerListener {

    @Override
    public void transitioned(BreakerTransition transition) {
        listener.keepsAwayAlone(transition.breaker(), transition.to() == BreakerState.OPEN);
    }

    @Override
    public void probed(String breaker, ProbeVerdict verdict, String reason) {
        listener.probed(breaker, verdict, reason);
    }

    @Override
    public void misconfigured(String breaker, String failure) {
        listener.misconfigured(breaker, failure);
    }

    @Override
    public void storeTrouble(StoreException reason) {
        listener.storeTrouble(reason);
    }

    @Override
    public void classifierFailed(String breaker, FailureKind taken, Throwable thrown) {
        listener.classifierFailed(breaker, taken, thrown);
    }
}
