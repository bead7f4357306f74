package io.distributedfallback.it.app;

import io.distributedfallback.BreakerTransition;
import jakarta.enterprise.context.ApplicationScoped;
import jakarta.enterprise.event.Observes;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;

/** Remembers the events of this instance. */
@ApplicationScoped
public class Witness {

    private final List<BreakerTransition> transitions = new CopyOnWriteArrayList<>();

    void note(@Observes BreakerTransition transition) {
        transitions.add(transition);
    }

    List<String> transitionsOf(String breaker) {
        return transitions.stream()
                .filter(transition -> transition.breaker().equals(breaker))
                .map(transition -> transition.from() + ">" + transition.to())
                .toList();
    }
}
