package io.distributedfallback.cdi;

import io.distributedfallback.core.CircuitBreakers;
import io.distributedfallback.queue.Gate;

/** What queues know of the breakers of their methods. */
record BreakerGate(CircuitBreakers breakers) implements Gate {

    @Override
    public boolean isClear(String breaker) {
        return !breakers.get(breaker).isOpen();
    }

    @Override
    public boolean isTrialDue(String breaker) {
        return breakers.isTrialDue(breaker);
    }

    @Override
    public void lookAfter(String breaker) {
        breakers.lookAfter(breaker);
    }
}
