package io.distributedfallback.it.faults.app;

import io.distributedfallback.StoreConnection;
import jakarta.enterprise.context.ApplicationScoped;
import jakarta.enterprise.context.Initialized;
import jakarta.enterprise.event.Observes;
import jakarta.inject.Inject;

/** Writes down what the instance is told of the store's loss and return. Older versions have no such event. */
@ApplicationScoped
public class ConnectionWatch {

    @Inject
    Journal journal;

    void begin(@Observes @Initialized(ApplicationScoped.class) Object application) {
        journal.connection("watched");
    }

    void changed(@Observes StoreConnection change) {
        journal.connection(change.up() ? "up" : "down");
    }
}
