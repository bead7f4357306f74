package io.distributedfallback.it.harness;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;

/**
 * The service of somebody else, on a real socket. Each path is a provider of its own, with its own {@link Script} for
 * visitors and for probes, told apart by the header {@code X-Purpose}. Keeps a record of all requests.
 */
public final class Provider implements AutoCloseable {

    /**
     * A request seen.
     *
     * @param path what follows {@code /provider/}
     * @param purpose {@code visitor} or {@code probe}
     * @param instance who asked
     * @param at when it came
     * @param script how it was answered
     */
    public record Request(String path, String purpose, String instance, Instant at, Script script) {}

    /**
     * How to answer.
     *
     * @param status the HTTP status
     * @param retryAfter the header of that name; empty for none
     * @param delay before the answer begins; it ends early when {@link Provider#release(String)} is called
     */
    public record Script(int status, String retryAfter, Duration delay) {
        public static final Script HEALTHY = status(200);

        /** Longer than every time-out. */
        public static final Script HANGING = HEALTHY.after(Duration.ofSeconds(30));

        public static Script status(int status) {
            return new Script(status, "", Duration.ZERO);
        }

        public Script retryAfter(String value) {
            return new Script(status, value, delay);
        }

        public Script after(Duration pause) {
            return new Script(status, retryAfter, pause);
        }
    }

    private static final String ROOT = "/provider/";

    private final Map<String, Script> scripts = new ConcurrentHashMap<>();
    private final Map<String, CountDownLatch> gates = new ConcurrentHashMap<>();
    private final Map<String, AtomicInteger> inFlight = new ConcurrentHashMap<>();
    private final Map<String, AtomicInteger> mostInFlight = new ConcurrentHashMap<>();
    private final List<Request> requests = new CopyOnWriteArrayList<>();
    private final ExecutorService threads = Executors.newCachedThreadPool(task -> {
        Thread thread = new Thread(task, "provider");
        thread.setDaemon(true);
        return thread;
    });
    private final int port = FreePort.any();
    private HttpServer server;

    public Provider() {
        open();
    }

    /** Listens again after {@link #close()}. */
    public synchronized void open() {
        if (server != null) {
            return;
        }
        try {
            server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), port), 100);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        server.setExecutor(threads);
        server.createContext(ROOT, this::answer);
        server.start();
    }

    /** Goes away: new connections are refused. */
    @Override
    public synchronized void close() {
        if (server != null) {
            server.stop(0);
            server = null;
        }
    }

    public String url() {
        return "http://127.0.0.1:" + port;
    }

    /** Tells how visitors and probes of a path are answered from now on. */
    public void tell(String path, Script script) {
        tell(path, "visitor", script);
        tell(path, "probe", script);
    }

    public void tell(String path, String purpose, Script script) {
        scripts.put(path + '/' + purpose, script);
    }

    /** Ends the delays under way on a path. */
    public void release(String path) {
        CountDownLatch gate = gates.remove(path);
        if (gate != null) {
            gate.countDown();
        }
    }

    /** The requests of a path so far, in the order in which they came. */
    public List<Request> requests(String path, String purpose) {
        return requests.stream()
                .filter(request ->
                        request.path().equals(path) && request.purpose().equals(purpose))
                .toList();
    }

    /** Visitors' calls on a path so far. */
    public int visitors(String path) {
        return requests(path, "visitor").size();
    }

    /** The most calls of any purpose that were under way on a path at the same time. */
    public int mostInFlight(String path) {
        return counter(mostInFlight, path).get();
    }

    /** Forgets what it has seen of a path. */
    public void forget(String path) {
        requests.removeIf(request -> request.path().equals(path));
        counter(mostInFlight, path).set(counter(inFlight, path).get());
    }

    private void answer(HttpExchange exchange) throws IOException {
        String path = exchange.getRequestURI().getPath().substring(ROOT.length());
        String purpose = header(exchange, "X-Purpose");
        Script script = scripts.getOrDefault(path + '/' + purpose, Script.HEALTHY);
        int now = counter(inFlight, path).incrementAndGet();
        counter(mostInFlight, path).accumulateAndGet(now, Math::max);
        requests.add(new Request(path, purpose, header(exchange, "X-Instance"), Instant.now(), script));
        try (exchange) {
            pause(path, script.delay());
            if (!script.retryAfter().isEmpty()) {
                exchange.getResponseHeaders().add("Retry-After", script.retryAfter());
            }
            byte[] body = "primary".getBytes(StandardCharsets.UTF_8);
            exchange.sendResponseHeaders(script.status(), body.length);
            exchange.getResponseBody().write(body);
        } finally {
            counter(inFlight, path).decrementAndGet();
        }
    }

    private void pause(String path, Duration delay) {
        long end = System.nanoTime() + delay.toNanos();
        CountDownLatch gate = gates.computeIfAbsent(path, key -> new CountDownLatch(1));
        while (gate.getCount() > 0 && System.nanoTime() - end < 0) {
            LockSupport.parkNanos(Duration.ofMillis(5).toNanos());
        }
    }

    private static AtomicInteger counter(Map<String, AtomicInteger> counters, String path) {
        return counters.computeIfAbsent(path, key -> new AtomicInteger());
    }

    private static String header(HttpExchange exchange, String name) {
        String value = exchange.getRequestHeaders().getFirst(name);
        return value == null ? "" : value;
    }
}
