package io.distributedfallback.it.seen;

import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.Queue;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;

/** Takes what servers export by OTLP over HTTP. It keeps the messages as they came: names in them are plain text. */
final class Collector implements AutoCloseable {

    private final HttpServer server;
    private final Map<String, Queue<String>> received = new ConcurrentHashMap<>();

    Collector() {
        try {
            server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        server.createContext("/", exchange -> {
            byte[] body = exchange.getRequestBody().readAllBytes();
            received.computeIfAbsent(exchange.getRequestURI().getPath(), path -> new ConcurrentLinkedQueue<>())
                    .add(new String(body, StandardCharsets.ISO_8859_1));
            exchange.getResponseHeaders().set("Content-Type", "application/x-protobuf");
            exchange.sendResponseHeaders(200, -1);
            exchange.close();
        });
        server.start();
    }

    String url() {
        return "http://127.0.0.1:" + server.getAddress().getPort();
    }

    /** All that came for a signal: {@code metrics} or {@code traces}. */
    String received(String signal) {
        return String.join("\n", received.getOrDefault("/v1/" + signal, new ConcurrentLinkedQueue<>()));
    }

    /** What came for it last. */
    String last(String signal) {
        String last = "";
        for (String message : received.getOrDefault("/v1/" + signal, new ConcurrentLinkedQueue<>())) {
            last = message;
        }
        return last;
    }

    @Override
    public void close() {
        server.stop(0);
    }
}
