package io.distributedfallback.it.app;

import io.distributedfallback.Breaker;
import io.distributedfallback.Breakers;
import jakarta.annotation.PreDestroy;
import jakarta.annotation.Resource;
import jakarta.enterprise.concurrent.ManagedExecutorService;
import jakarta.enterprise.context.ApplicationScoped;
import jakarta.inject.Inject;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.IntStream;

/** Looks at the routes of some breakers five thousand times a second, and writes down when one changes. */
@ApplicationScoped
public class RouteWatch {

    private static final long PAUSE_NANOS = 200_000;

    @Inject
    Breakers breakers;

    @Resource
    ManagedExecutorService executor;

    private final Queue<String> seen = new ConcurrentLinkedQueue<>();
    private volatile boolean stopped;

    void begin(String prefix, int count) {
        seen.clear();
        List<Breaker> watched = IntStream.range(0, count)
                .mapToObj(i -> breakers.get(prefix + i))
                .toList();
        boolean[] open = new boolean[count];
        executor.execute(() -> {
            while (!stopped && !Thread.currentThread().isInterrupted()) {
                for (int i = 0; i < open.length; i++) {
                    boolean now = watched.get(i).isOpen();
                    if (now != open[i]) {
                        open[i] = now;
                        seen.add(watched.get(i).name() + " " + (now ? "FALLBACK" : "PRIMARY") + " "
                                + PushResource.micros());
                    }
                }
                LockSupport.parkNanos(PAUSE_NANOS);
            }
        });
    }

    String seen() {
        return String.join("\n", seen);
    }

    @PreDestroy
    void stop() {
        stopped = true;
    }
}
