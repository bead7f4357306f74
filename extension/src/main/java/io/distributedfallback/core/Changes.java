package io.distributedfallback.core;

import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;

/** Tells whoever watches that something this instance knows of breakers has changed, and not what. Thread-safe. */
final class Changes {

    private final List<Runnable> watchers = new CopyOnWriteArrayList<>();

    /** A watcher must be quick, must not throw, and is told on the thread that made the change, a caller's for instance. */
    void watch(Runnable watcher) {
        watchers.add(watcher);
    }

    void forget(Runnable watcher) {
        watchers.remove(watcher);
    }

    void tell() {
        for (Runnable watcher : watchers) {
            watcher.run();
        }
    }
}
