package io.distributedfallback.deferred;

import jakarta.annotation.PreDestroy;
import jakarta.enterprise.context.RequestScoped;
import java.util.ArrayList;
import java.util.List;

/**
 * What waits for the end of a request. A bean of the request itself, so that only what this very request deferred is
 * handed over when it ends, and once, however many events a container fires around asynchronous requests. (An observer
 * of the end of requests would also be called for the request contexts that tasks open for themselves, and a task that
 * defers another would never come to an end.)
 *
 * <p>Its end comes before the buffered response is sent, so tasks are handed to a thread here and never run.
 */
@RequestScoped
class RequestEnd {

    private final List<Runnable> waiting = new ArrayList<>();
    private boolean ended;

    /** Runs the hand-over at the end of the request, or now if that has passed. */
    void whenEnded(Runnable handOver) {
        synchronized (waiting) {
            if (!ended) {
                waiting.add(handOver);
                return;
            }
        }
        handOver.run();
    }

    @PreDestroy
    void end() {
        List<Runnable> due;
        synchronized (waiting) {
            ended = true;
            due = List.copyOf(waiting);
            waiting.clear();
        }
        due.forEach(Runnable::run);
    }
}
