package io.distributedfallback.sample.web;

import io.distributedfallback.BreakerTransition;
import jakarta.enterprise.context.ApplicationScoped;
import jakarta.enterprise.event.Observes;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;

/**
 * Listens to the breakers. The event fires once in the cluster, on the instance whose write made the change: the right
 * place to notify somebody, as this class does by remembering it for the page.
 */
@ApplicationScoped
public class TransitionLog {

    private static final int KEPT = 20;

    private final Deque<Entry> entries = new ArrayDeque<>();

    /**
     * A change, as the page shows it.
     *
     * @param at when, by the database's clock
     * @param breaker the breaker
     * @param from the state before
     * @param to the state after
     * @param cause what made the change
     */
    public record Entry(String at, String breaker, String from, String to, String cause) {}

    void changed(@Observes BreakerTransition change) {
        synchronized (entries) {
            entries.addFirst(new Entry(
                    change.at().toString(),
                    change.breaker(),
                    change.from().name(),
                    change.to().name(),
                    change.cause().name()));
            if (entries.size() > KEPT) {
                entries.removeLast();
            }
        }
    }

    List<Entry> latest() {
        synchronized (entries) {
            return List.copyOf(entries);
        }
    }
}
