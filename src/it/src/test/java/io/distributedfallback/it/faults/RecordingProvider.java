package io.distributedfallback.it.faults;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import io.distributedfallback.it.faults.Records.Outage;
import io.distributedfallback.it.faults.Records.Request;
import io.distributedfallback.it.faults.Records.Weather;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.locks.LockSupport;

/**
 * Somebody else's services, on a real socket: the catalogue, which comes and goes, and the ledger, which always fails. Writes
 * down each request.
 */
final class RecordingProvider implements AutoCloseable {

    private static final Duration HANG = Duration.ofMillis(700);
    private static final Duration LATE = Duration.ofMillis(1_200);
    private static final int BACKLOG = 200;
    private static final int OK = 200;
    private static final int FAILED = 500;

    private final Queue<Request> requests = new ConcurrentLinkedQueue<>();
    private final List<Outage> outages = new ArrayList<>();
    private final ExecutorService threads = Executors.newCachedThreadPool(task -> {
        Thread thread = new Thread(task, "provider");
        thread.setDaemon(true);
        return thread;
    });
    private final HttpServer server;
    private volatile Weather weather = Weather.WELL;
    private volatile Optional<String> prober = Optional.empty();
    private long turnedNanos;

    RecordingProvider() {
        try {
            server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), BACKLOG);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        server.setExecutor(threads);
        server.createContext("/", this::answer);
        server.start();
    }

    String url() {
        return "http://127.0.0.1:" + server.getAddress().getPort();
    }

    synchronized void turn(Weather next) {
        long now = System.nanoTime();
        if (weather != Weather.WELL) {
            outages.add(new Outage(weather, turnedNanos, now));
        }
        weather = next;
        turnedNanos = now;
    }

    /** The instance whose probe is here. */
    Optional<String> prober() {
        return prober;
    }

    /** The outages that are over. */
    synchronized List<Outage> outages() {
        return List.copyOf(outages);
    }

    List<Request> requests() {
        return List.copyOf(requests);
    }

    /** Forgets what is over. */
    synchronized void forget() {
        requests.clear();
        outages.clear();
    }

    private void answer(HttpExchange exchange) throws IOException {
        long arrived = System.nanoTime();
        String service = exchange.getRequestURI().getPath().substring(1);
        String purpose = header(exchange, "X-Purpose");
        int status = FAILED;
        if (purpose.equals("probe")) {
            prober = Optional.of(header(exchange, "X-Instance"));
        }
        try (exchange) {
            status = statusOf(service, purpose);
            byte[] body = {'o', 'k'};
            exchange.sendResponseHeaders(status, body.length);
            exchange.getResponseBody().write(body);
        } catch (IOException gone) {
            // Who asked has left.
        } finally {
            if (purpose.equals("probe")) {
                prober = Optional.empty();
            }
            requests.add(new Request(
                    service,
                    purpose,
                    header(exchange, "X-Instance"),
                    Long.parseLong(header(exchange, "X-Began")),
                    arrived,
                    System.nanoTime(),
                    status));
        }
    }

    private int statusOf(String service, String purpose) {
        if (service.equals("ledger")) {
            return FAILED;
        }
        if (purpose.equals("late")) {
            pause(LATE);
            return OK;
        }
        return switch (weather) {
            case WELL -> OK;
            case FAILING -> FAILED;
            case HANGING -> {
                pause(HANG);
                yield FAILED;
            }
        };
    }

    private static void pause(Duration length) {
        long end = System.nanoTime() + length.toNanos();
        for (long left = length.toNanos(); left > 0; left = end - System.nanoTime()) {
            LockSupport.parkNanos(left);
        }
    }

    private static String header(HttpExchange exchange, String name) {
        return exchange.getRequestHeaders().getFirst(name);
    }

    @Override
    public void close() {
        server.stop(0);
        threads.shutdownNow();
    }
}
