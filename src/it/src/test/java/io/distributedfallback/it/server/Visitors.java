package io.distributedfallback.it.server;

import io.distributedfallback.it.harness.Reply;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;

/** Several visitors at once, of whom each call is recorded. */
final class Visitors {

    /**
     * A call.
     *
     * @param kind the path
     * @param reply what came of it
     */
    record Visit(String kind, Reply reply) {}

    private Visitors() {}

    /** Each kind of call gets a visitor who repeats it for so long. */
    static List<Visit> visit(CrowdedServer server, String application, Duration time, String... kinds)
            throws Exception {
        ExecutorService threads = Executors.newFixedThreadPool(kinds.length);
        try {
            long end = System.nanoTime() + time.toNanos();
            List<Callable<List<Visit>>> visitors = new ArrayList<>();
            for (String kind : kinds) {
                visitors.add(() -> repeat(server, application, kind, end));
            }
            List<Visit> visits = new ArrayList<>();
            for (Future<List<Visit>> visitor : threads.invokeAll(visitors)) {
                visits.addAll(visitor.get());
            }
            return visits;
        } finally {
            threads.shutdownNow();
        }
    }

    private static List<Visit> repeat(CrowdedServer server, String application, String kind, long end)
            throws Exception {
        List<Visit> visits = new ArrayList<>();
        do {
            visits.add(new Visit(kind, server.ask(application, "/call/" + kind)));
        } while (System.nanoTime() - end < 0);
        return visits;
    }
}
