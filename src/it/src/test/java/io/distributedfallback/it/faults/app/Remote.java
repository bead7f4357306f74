package io.distributedfallback.it.faults.app;

import jakarta.enterprise.context.ApplicationScoped;
import java.io.IOException;
import java.io.InputStream;
import java.net.HttpURLConnection;
import java.net.URI;

/** The way to the provider. What is asked, by whom and since when goes along, so that the provider can write it down. */
@ApplicationScoped
public class Remote {

    private static final String URL = System.getProperty("faults.provider", "");
    private static final String INSTANCE = System.getProperty("distributed-fallback.instance-id", "");
    private static final int CONNECT_MILLIS = 500;

    /**
     * Asks.
     *
     * @param path which service
     * @param purpose {@code visitor}, {@code late} or {@code probe}
     * @param began when the call began that needs it
     * @param patience the longest wait in milliseconds
     */
    public String ask(String path, String purpose, long began, int patience) throws IOException {
        HttpURLConnection connection =
                (HttpURLConnection) URI.create(URL + path).toURL().openConnection();
        connection.setConnectTimeout(CONNECT_MILLIS);
        connection.setReadTimeout(patience);
        connection.setRequestProperty("X-Purpose", purpose);
        connection.setRequestProperty("X-Instance", INSTANCE);
        connection.setRequestProperty("X-Began", Long.toString(began));
        try (InputStream in = connection.getInputStream()) {
            return new String(in.readAllBytes(), java.nio.charset.StandardCharsets.UTF_8);
        } catch (IOException e) {
            drain(connection);
            throw e;
        }
    }

    /** So that the connection can be used again. */
    private static void drain(HttpURLConnection connection) throws IOException {
        InputStream error = connection.getErrorStream();
        if (error != null) {
            try (error) {
                byte[] unused = error.readAllBytes();
            }
        }
    }
}
