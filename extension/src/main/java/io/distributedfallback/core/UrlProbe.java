package io.distributedfallback.core;

import java.io.IOException;
import java.net.HttpURLConnection;
import java.net.URI;
import java.time.Duration;
import java.util.Optional;

/**
 * Asks an address with GET; 2xx and 3xx pass. The answer's body is not read and no redirect is followed. Any other status
 * is an {@link UnexpectedAnswer}, classified as it would be in a guarded call.
 */
final class UrlProbe implements ProbeCall {

    private final URI url;
    private final Duration timeout;

    /**
     * @param timeout for the connection and again for the answer
     */
    UrlProbe(URI url, Duration timeout) {
        this.url = url;
        this.timeout = timeout;
    }

    @Override
    public boolean passes() throws IOException {
        // HttpURLConnection keeps no threads of its own, which java.net.http.HttpClient would beyond an undeploy.
        HttpURLConnection connection = (HttpURLConnection) url.toURL().openConnection();
        int millis = Math.toIntExact(Math.min(Math.max(timeout.toMillis(), 1), Integer.MAX_VALUE));
        try {
            connection.setConnectTimeout(millis);
            connection.setReadTimeout(millis);
            connection.setInstanceFollowRedirects(false);
            connection.setUseCaches(false);
            connection.setRequestProperty("Connection", "close");
            connection.setRequestProperty("User-Agent", "distributed-fallback-probe");
            int status = connection.getResponseCode();
            if (status >= 200 && status < 400) {
                return true;
            }
            throw new UnexpectedAnswer(new HttpAnswer(
                    status,
                    Optional.ofNullable(connection.getHeaderField("Retry-After")),
                    Optional.ofNullable(connection.getHeaderField("Date"))));
        } finally {
            connection.disconnect();
        }
    }
}
